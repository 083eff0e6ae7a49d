//! The parameters of a search with an evaluator.

use std::num::NonZeroUsize;

/// The default exploration constant.
pub const C_PUCT: f32 = 1.25;

/// Exploration, noise and resources of a search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The maximum number of simulations of each root; the first one evaluates the root. At least 1.
    pub nodes: u32,
    /// The time limit in seconds, for all roots together.
    pub seconds: Option<f64>,
    /// The maximum number of leaves in one call of the evaluator.
    pub batch: NonZeroUsize,
    /// The exploration constant: how much the priors count against the mean shares.
    pub c_puct: f32,
    /// The noise of the root's priors.
    pub noise: Option<Noise>,
    /// The seed of all random choices. The tree of root `n` has the `n`-th random stream of the seed.
    pub seed: u64,
    /// The memory limit in bytes of all trees together. The search ends when the trees reach it.
    pub memory: u64,
}

/// How a tree search of one position uses an evaluator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Guidance {
    /// The exploration constant: how much the priors count against the mean shares.
    pub c_puct: f32,
    /// The weight of a rollout's result in the value of a leaf, from 0 to 1; the evaluator's shares have the rest. Rollouts
    /// see tactics that a small network misses. (Silver et al., "Mastering the game of Go with deep neural networks and tree
    /// search", 2016.)
    pub rollout_weight: f32,
}

impl Default for Guidance {
    fn default() -> Self {
        Self { c_puct: C_PUCT, rollout_weight: 0.0 }
    }
}

/// Dirichlet noise: part of each prior of the root is random, so that self-play tries every action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Noise {
    /// The parameter of the distribution, above 0. Small values favour few actions.
    pub alpha: f32,
    /// The part of the prior that is noise, from 0 to 1.
    pub fraction: f32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            nodes: 800,
            seconds: None,
            batch: NonZeroUsize::new(64).expect("not zero"),
            c_puct: C_PUCT,
            noise: None,
            seed: 0,
            memory: 512 << 20,
        }
    }
}
