//! Cancellation of long work from another thread, with pauses.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::clock::Instant;

/// Cancels long work from another thread, or pauses it.
///
/// The work often calls [`should_stop`](Self::should_stop), which costs next to nothing. It measures time by a clock
/// that stops during a pause ([`now`](Self::now)).
#[derive(Debug, Default)]
pub struct CancelToken {
    /// Whether the work is cancelled or paused.
    pending: AtomicBool,
    request: Mutex<Signals>,
    changed: Condvar,
}

/// The state that other threads asked for.
#[derive(Debug, Default)]
struct Signals {
    cancelled: bool,
    paused_since: Option<Instant>,
    /// The total of the earlier pauses.
    paused_for: Duration,
}

impl CancelToken {
    /// Cancels the work, also during a pause.
    pub fn cancel(&self) {
        self.update(|request| request.cancelled = true);
    }

    /// Whether the work is cancelled. Never waits.
    pub fn is_cancelled(&self) -> bool {
        self.request().cancelled
    }

    /// Pauses the work and its clock.
    pub fn pause(&self) {
        self.update(|request| {
            request.paused_since.get_or_insert_with(Instant::now);
        });
    }

    /// Ends a pause.
    pub fn resume(&self) {
        self.update(|request| {
            request.paused_for += request.paused_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        });
    }

    /// Whether the work must stop: the question that the work itself asks. Waits during a pause.
    #[inline]
    pub fn should_stop(&self) -> bool {
        self.pending.load(Ordering::Relaxed) && self.wait()
    }

    /// The time by the clock of the work, which stops during a pause.
    pub fn now(&self) -> Instant {
        let request = self.request();
        let now = request.paused_since.unwrap_or_else(Instant::now);
        now.checked_sub(request.paused_for).expect("every pause came after the start of the work")
    }

    #[cold]
    fn wait(&self) -> bool {
        let paused = |request: &mut Signals| request.paused_since.is_some() && !request.cancelled;
        self.changed.wait_while(self.request(), paused).unwrap_or_else(PoisonError::into_inner).cancelled
    }

    fn update(&self, change: impl FnOnce(&mut Signals)) {
        let mut request = self.request();
        change(&mut request);
        self.pending.store(request.cancelled || request.paused_since.is_some(), Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn request(&self) -> MutexGuard<'_, Signals> {
        self.request.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::thread::{scope, sleep};

    use super::*;

    const A_WHILE: Duration = Duration::from_millis(50);

    #[test]
    fn paused_work_continues_until_it_is_cancelled() {
        let (stop, done) = (CancelToken::default(), AtomicU64::new(0));
        let has_done = || {
            sleep(A_WHILE);
            done.load(Ordering::Relaxed)
        };
        scope(|scope| {
            scope.spawn(|| {
                while !stop.should_stop() {
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
            while has_done() == 0 {}
            stop.pause();
            let paused = has_done();
            assert_eq!(has_done(), paused);
            stop.resume();
            while has_done() == paused {}
            // A cancelled pause ends, too.
            stop.pause();
            stop.cancel();
        });
        assert!(stop.is_cancelled());
    }

    #[test]
    fn the_clock_stops_during_a_pause() {
        let stop = CancelToken::default();
        let began = stop.now();
        stop.pause();
        stop.pause();
        let paused_at = stop.now();
        sleep(A_WHILE);
        assert_eq!(stop.now(), paused_at);
        stop.resume();
        stop.resume();
        assert!(stop.now() - began + A_WHILE <= began.elapsed());
        assert!(stop.now() >= paused_at);
    }
}
