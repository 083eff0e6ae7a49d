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

/// How a search looks ahead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Method {
    /// By what does better in the position, as its game's folder tells.
    #[default]
    Auto,
    /// By simulations, in a tree: every game.
    Tree,
    /// By alpha-beta: games of two seats without chance.
    AlphaBeta,
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
    /// How to look ahead.
    pub method: Method,
    /// How many actions to look ahead; only alpha-beta has a depth.
    pub depth: Option<u32>,
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
    /// How many nodes the tree may hold, about 50 bytes each. A full tree grows no more, but goes on counting.
    pub capacity: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            method: Method::default(),
            depth: None,
            nodes: None,
            seconds: None,
            threads: NonZeroUsize::MIN,
            seed: 0,
            rollouts: Rollouts::default(),
            purpose: Purpose::default(),
            sight: 5,
            capacity: 1 << 23,
        }
    }
}
