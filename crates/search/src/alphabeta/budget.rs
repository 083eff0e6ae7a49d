//! How many positions may still be looked at, for all threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::limits::Limits;

/// So many positions are granted at a time: a fraction of a millisecond's work.
const GRANT: u64 = 256;

/// What is left of a search's limits.
pub(crate) struct Budget<'a> {
    most: u64,
    deadline: Option<Instant>,
    granted: AtomicU64,
    over: AtomicBool,
    stop: &'a AtomicBool,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(limits: &Limits, began: Instant, stop: &'a AtomicBool) -> Self {
        // A time too long for the clock is no limit.
        let time = limits.seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds.max(0.0)).ok());
        Self {
            most: limits.nodes.unwrap_or(u64::MAX / 2),
            deadline: time.and_then(|time| began.checked_add(time)),
            granted: AtomicU64::new(0),
            over: AtomicBool::new(false),
            stop,
        }
    }

    /// Grants some positions; none when the search is over.
    pub(crate) fn grant(&self) -> u64 {
        let late = || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if self.is_over() || self.stop.load(Ordering::Relaxed) || late() {
            self.end();
            return 0;
        }
        let before = self.granted.fetch_add(GRANT, Ordering::Relaxed);
        let grant = self.most.saturating_sub(before).min(GRANT);
        if grant < GRANT {
            self.granted.fetch_sub(GRANT - grant, Ordering::Relaxed);
        }
        if grant == 0 {
            self.end();
        }
        grant
    }

    /// Takes back what was granted and not used.
    pub(crate) fn give_back(&self, unused: u64) {
        self.granted.fetch_sub(unused, Ordering::Relaxed);
    }

    /// Ends the search for all threads.
    pub(crate) fn end(&self) {
        self.over.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    /// How many positions were looked at, once all threads have ended.
    pub(crate) fn nodes(&self) -> u64 {
        self.granted.load(Ordering::Relaxed)
    }
}
