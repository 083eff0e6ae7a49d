//! The meter that all threads of a search look at: how much is used, how much is left.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::limits::Limits;

/// How much of the time goes at most into the proofs before the search.
const PROVING: u32 = 5;

/// Hands simulations out to the threads, and says when to end.
///
/// They are handed out in batches: a counter that every thread touches at every simulation, and a clock looked at as
/// often, would cost more than a short simulation itself.
pub(crate) struct Meter<'a> {
    most: u64,
    began: Instant,
    deadline: Option<Instant>,
    taken: AtomicU64,
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
            began,
            deadline: time.and_then(|time| began.checked_add(time)),
            taken: AtomicU64::new(0),
            over: AtomicBool::new(false),
            stop,
        }
    }

    /// One for so many positions, until a deadline.
    pub(crate) fn part(most: u64, deadline: Option<Instant>, stop: &'a AtomicBool) -> Self {
        Self { most, began: Instant::now(), deadline, taken: AtomicU64::new(0), over: AtomicBool::new(false), stop }
    }

    /// Takes up to so many simulations off what is left; none when the search is over.
    pub(crate) fn take(&self, wanted: u64) -> u64 {
        if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            self.end();
        }
        if self.is_over() {
            return 0;
        }
        let more = |taken| (taken < self.most).then(|| self.most.min(taken + wanted));
        let before = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        before.map_or(0, |before| self.most.min(before + wanted) - before)
    }

    /// Gives back what was taken and not made.
    pub(crate) fn give_back(&self, simulations: u64) {
        self.taken.fetch_sub(simulations, Ordering::Relaxed);
    }

    /// How many simulations are still to come, at the rate so far.
    pub(crate) fn left(&self) -> f64 {
        let taken = self.nodes();
        let by_count = (self.most - taken) as f64;
        let Some(deadline) = self.deadline else { return by_count };
        let now = Instant::now();
        let rate = taken as f64 / (now - self.began).as_secs_f64().max(1e-9);
        by_count.min(rate * deadline.saturating_duration_since(now).as_secs_f64())
    }

    /// Until when the proofs before the search may take.
    pub(crate) fn proving(&self) -> Option<Instant> {
        self.deadline.map(|deadline| self.began + (deadline - self.began) / PROVING)
    }

    /// Whether there is a limit of time.
    pub(crate) fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// Ends the search for all threads.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether it was ended, or told to stop.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.stop.load(Ordering::Relaxed)
    }

    /// How many simulations were made, those on their way included.
    pub(crate) fn nodes(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }
}
