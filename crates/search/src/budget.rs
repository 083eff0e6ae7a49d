//! Budgets: how many simulations or positions a search has left, and when it ends.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tavola_core::{CancelToken, Instant};

use crate::limits::Limits;

/// The rate of simulations is known after this fraction of the time (1/20). Before it, a kept tree would look as if
/// nothing could change its result any more.
const KNOWN: u32 = 20;

/// Assigns simulations to threads and determines the end of a search.
///
/// Threads take batches. A shared counter and a clock for every simulation would cost more than a short simulation.
pub(crate) struct SharedBudget<'a> {
    most: u64,
    began: Instant,
    deadline: Option<Instant>,
    taken: AtomicU64,
    over: AtomicBool,
    stop: &'a CancelToken,
}

impl<'a> SharedBudget<'a> {
    /// The budget of a search: the nodes of its limits, until a deadline.
    pub(crate) fn new(limits: &Limits, deadline: Option<Instant>, stop: &'a CancelToken) -> Self {
        // Visits are counted in 32 bits.
        Self::part(limits.nodes.unwrap_or(u64::MAX).min(u32::MAX.into()), deadline, stop)
    }

    /// A budget of `most` positions, until a deadline.
    pub(crate) fn part(most: u64, deadline: Option<Instant>, stop: &'a CancelToken) -> Self {
        Self { most, began: stop.now(), deadline, taken: AtomicU64::new(0), over: AtomicBool::new(false), stop }
    }

    /// Takes up to `wanted` simulations; 0 after the end of the search.
    pub(crate) fn take(&self, wanted: u64) -> u64 {
        if self.deadline.is_some_and(|deadline| self.now() >= deadline) {
            self.end();
        }
        if self.is_over() {
            return 0;
        }
        let more = |taken| (taken < self.most).then(|| self.most.min(taken + wanted));
        let before = self.taken.fetch_update(Ordering::Relaxed, Ordering::Relaxed, more);
        before.map_or(0, |before| self.most.min(before + wanted) - before)
    }

    /// Returns simulations that a thread took and did not run.
    pub(crate) fn give_back(&self, simulations: u64) {
        self.taken.fetch_sub(simulations, Ordering::Relaxed);
    }

    /// The maximum number of remaining simulations, at the rate so far as soon as it is known.
    pub(crate) fn left(&self) -> f64 {
        let taken = self.nodes();
        let by_count = (self.most - taken) as f64;
        let Some(deadline) = self.deadline else { return by_count };
        let now = self.now();
        let (passed, to_come) = (now - self.began, deadline.saturating_duration_since(now));
        if passed < (passed + to_come) / KNOWN {
            return by_count;
        }
        by_count.min(taken as f64 / passed.as_secs_f64() * to_come.as_secs_f64())
    }

    /// Whether there is a limit of time.
    pub(crate) fn is_timed(&self) -> bool {
        self.deadline.is_some()
    }

    /// The time by the clock of the search, which stops during a pause.
    pub(crate) fn now(&self) -> Instant {
        self.stop.now()
    }

    /// Ends the search for all threads.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    /// Whether the search is over or cancelled. Waits during a pause.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.stop.should_stop()
    }

    /// The number of simulations, including those in progress.
    pub(crate) fn nodes(&self) -> u64 {
        self.taken.load(Ordering::Relaxed)
    }
}

/// The number of positions between two looks at the clock.
const GLANCE: u64 = 256;

/// A budget of positions for one thread, until a deadline or a cancellation.
pub(crate) struct PositionBudget<'a> {
    stop: &'a CancelToken,
    deadline: Option<Instant>,
    left: u64,
}

impl<'a> PositionBudget<'a> {
    pub(crate) fn new(stop: &'a CancelToken, deadline: Option<Instant>, positions: u64) -> Self {
        Self { stop, deadline, left: positions }
    }

    /// Takes one position.
    #[inline]
    pub(crate) fn take(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left.is_multiple_of(GLANCE) && self.deadline.is_some_and(|deadline| self.stop.now() >= deadline) {
            self.left = 0;
        }
    }

    /// Whether the search must end. A negative result is then meaningless. Waits during a pause.
    #[inline]
    pub(crate) fn is_over(&self) -> bool {
        self.left == 0 || self.stop.should_stop()
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_first_simulations_do_not_tell_how_many_are_to_come() {
        let stop = CancelToken::default();
        let began = Instant::now();
        let budget = SharedBudget::part(1_000_000, Some(began + Duration::from_secs(3600)), &stop);
        assert_eq!(budget.take(1), 1);
        assert!(budget.left() > 999_998.0);
    }

    #[test]
    fn later_the_rate_does() {
        let stop = CancelToken::default();
        let budget = SharedBudget::part(1_000_000, Some(Instant::now() + Duration::from_millis(20)), &stop);
        assert_eq!(budget.take(10), 10);
        std::thread::sleep(Duration::from_millis(10));
        assert!(budget.left() < 100.0);
    }
}
