//! How others end long work, or let it rest.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Ends long work from another thread, or lets it rest for a while and go on where it stood.
///
/// The work asks often whether to go on ([`heed`](Self::heed)), which costs it next to nothing, and tells its time by a
/// clock that rests with it ([`now`](Self::now)).
#[derive(Debug, Default)]
pub struct Stop {
    /// Whether there is anything to heed.
    asked: AtomicBool,
    wanted: Mutex<Wanted>,
    changed: Condvar,
}

/// What is wanted of the work.
#[derive(Debug, Default)]
struct Wanted {
    end: bool,
    /// Since when it is to rest.
    rest: Option<Instant>,
    /// How long it has rested before.
    rested: Duration,
}

impl Stop {
    /// Ends the work, also while it rests.
    pub fn set(&self) {
        self.want(|wanted| wanted.end = true);
    }

    /// Whether the work is to end. This does not wait.
    pub fn is_set(&self) -> bool {
        self.wanted().end
    }

    /// Lets the work rest where it stands, and its clock with it.
    pub fn pause(&self) {
        self.want(|wanted| {
            wanted.rest.get_or_insert_with(Instant::now);
        });
    }

    /// Lets the work go on after a rest.
    pub fn resume(&self) {
        self.want(|wanted| wanted.rested += wanted.rest.take().map_or(Duration::ZERO, |since| since.elapsed()));
    }

    /// Whether the work is to end: it asks so itself. While it is to rest, this waits.
    #[inline]
    pub fn heed(&self) -> bool {
        self.asked.load(Ordering::Relaxed) && self.wait()
    }

    /// The time by the clock of the work, which stands still while it rests.
    pub fn now(&self) -> Instant {
        let wanted = self.wanted();
        let now = wanted.rest.unwrap_or_else(Instant::now);
        now.checked_sub(wanted.rested).expect("all its rests have been since it began")
    }

    #[cold]
    fn wait(&self) -> bool {
        let resting = |wanted: &mut Wanted| wanted.rest.is_some() && !wanted.end;
        self.changed.wait_while(self.wanted(), resting).unwrap_or_else(PoisonError::into_inner).end
    }

    fn want(&self, change: impl FnOnce(&mut Wanted)) {
        let mut wanted = self.wanted();
        change(&mut wanted);
        self.asked.store(wanted.end || wanted.rest.is_some(), Ordering::Relaxed);
        self.changed.notify_all();
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;
    use std::thread::{scope, sleep};

    use super::*;

    const A_WHILE: Duration = Duration::from_millis(50);

    #[test]
    fn work_rests_and_goes_on_until_it_is_ended() {
        let (stop, done) = (Stop::default(), AtomicU64::new(0));
        let has_done = || {
            sleep(A_WHILE);
            done.load(Ordering::Relaxed)
        };
        scope(|scope| {
            scope.spawn(|| {
                while !stop.heed() {
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
            while has_done() == 0 {}
            stop.pause();
            let resting = has_done();
            assert_eq!(has_done(), resting);
            stop.resume();
            while has_done() == resting {}
            // What rests ends, too.
            stop.pause();
            stop.set();
        });
        assert!(stop.is_set());
    }

    #[test]
    fn its_clock_rests_with_it() {
        let stop = Stop::default();
        let began = stop.now();
        stop.pause();
        stop.pause();
        let rested = stop.now();
        sleep(A_WHILE);
        assert_eq!(stop.now(), rested);
        stop.resume();
        stop.resume();
        assert!(stop.now() - began + A_WHILE <= began.elapsed());
        assert!(stop.now() >= rested);
    }
}
