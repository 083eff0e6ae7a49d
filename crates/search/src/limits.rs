//! What a search may use.

use std::num::NonZeroUsize;

/// How games are played out from a leaf of the tree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rollouts {
    /// By [`random_action`](tavola_core::Playout::random_action): all legal actions equally likely.
    Uniform,
    /// By [`sensible_action`](tavola_core::Playout::sensible_action): with the little sense that the game's folder
    /// gives.
    #[default]
    Sensible,
}

/// What a search is for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Purpose {
    /// To know what every action is worth: all that the limits allow is used.
    #[default]
    Analyse,
    /// To have an action: a forced one is answered at once, and the search ends when what is left of it, at the rate
    /// so far, can no longer bring another action to the front.
    Choose,
}

/// What a search may use. Without `nodes` and `seconds` it goes on until it is stopped or the result is proven.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How many nodes to look at, one per simulation; more than 2^32 - 1 are never looked at.
    pub nodes: Option<u64>,
    /// How long to think.
    pub seconds: Option<f64>,
    /// How many threads share the tree.
    pub threads: NonZeroUsize,
    /// What all random choices follow from.
    pub seed: u64,
    /// How games are played out.
    pub rollouts: Rollouts,
    /// What the search is for.
    pub purpose: Purpose,
    /// How many actions ahead every one is looked at for what is certain, before the search.
    pub sight: u32,
    /// How many bytes the nodes of the tree may take. A full tree grows no more, but goes on counting.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            nodes: None,
            seconds: None,
            threads: NonZeroUsize::MIN,
            seed: 0,
            rollouts: Rollouts::default(),
            purpose: Purpose::default(),
            sight: 5,
            memory: 512 << 20,
        }
    }
}
