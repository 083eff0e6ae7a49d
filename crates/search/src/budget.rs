//! How much may still be looked at before the search begins: positions, time, and whether somebody has had enough.

use std::time::Instant;

use tavola_core::CancelToken;

/// After how many positions the clock is looked at.
const GLANCE: u64 = 256;

/// Positions that may be looked at, until a deadline or until it is stopped.
pub(crate) struct Budget<'a> {
    stop: &'a CancelToken,
    deadline: Option<Instant>,
    left: u64,
}

impl<'a> Budget<'a> {
    pub(crate) fn new(stop: &'a CancelToken, deadline: Option<Instant>, positions: u64) -> Self {
        Self { stop, deadline, left: positions }
    }

    /// Takes a position.
    pub(crate) fn take(&mut self) {
        self.left = self.left.saturating_sub(1);
        if self.left.is_multiple_of(GLANCE) && self.deadline.is_some_and(|deadline| self.stop.now() >= deadline) {
            self.left = 0;
        }
    }

    /// Whether what is looked at must be broken off: what was not found then means nothing. While it is to rest, this waits.
    pub(crate) fn is_over(&self) -> bool {
        self.left == 0 || self.stop.should_stop()
    }
}
