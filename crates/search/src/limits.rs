//! What a search may use, and the meter that all its threads look at.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

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
            capacity: 1 << 23,
        }
    }
}

/// Counts simulations for all threads, and says when to end.
pub(crate) struct Meter<'a> {
    most: u64,
    deadline: Option<Instant>,
    nodes: AtomicU64,
    over: AtomicBool,
    stop: &'a AtomicBool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(limits: &Limits, began: Instant, stop: &'a AtomicBool) -> Self {
        // A time too long for the clock is no limit.
        let time = limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        Self {
            // Visits are counted in 32 bits.
            most: limits.nodes.unwrap_or(u64::MAX).min(u32::MAX.into()),
            deadline: time.and_then(|time| began.checked_add(time)),
            nodes: AtomicU64::new(0),
            over: AtomicBool::new(false),
            stop,
        }
    }

    /// Takes one simulation off what is left; false when the search is over.
    pub(crate) fn next(&self) -> bool {
        if self.over.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed) {
            return false;
        }
        let taken = self.nodes.fetch_add(1, Ordering::Relaxed);
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if taken >= self.most || late {
            self.nodes.fetch_sub(1, Ordering::Relaxed);
            self.end();
            return false;
        }
        true
    }

    /// Ends the search for all threads.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// How many simulations were made.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes.load(Ordering::Relaxed)
    }
}
