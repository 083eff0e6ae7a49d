//! Long calls: they release the GIL, and another thread or Ctrl-C can stop them.

use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use pyo3::prelude::*;
use tavola_core::CancelToken;
use tavola_registry::AnyGame;

use crate::python_game::{failed, guarded, interrupt_rules};

/// Stop or pause a search from another thread.
///
/// >>> import tavola
/// >>> stop = tavola.Stop()
/// >>> stop.set()
/// >>> stop.is_set()
/// True
#[pyclass(frozen, module = "tavola._core")]
#[derive(Default)]
pub(crate) struct Stop(CancelToken);

impl Stop {
    pub(crate) fn token(&self) -> &CancelToken {
        &self.0
    }
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    /// Stop the search, also during a pause.
    fn set(&self) {
        self.0.cancel();
    }

    /// Return whether `set` was called.
    fn is_set(&self) -> bool {
        self.0.is_cancelled()
    }

    /// Pause the search within a fiftieth of a second, until `resume`.
    ///
    /// A paused search uses no processor time, and its time limit stops too. `set` still stops
    /// it.
    fn pause(&self) {
        self.0.pause();
    }

    /// Continue a paused search, which returns the same result as without the pause.
    fn resume(&self) {
        self.0.resume();
    }
}

/// The number of intervals that a call waits after Ctrl-C for rules that do not return.
const PATIENCE: u32 = 20;

/// How often a waiting call checks for Ctrl-C.
const SIGNAL_INTERVAL: Duration = Duration::from_millis(50);

/// Runs `work` on another thread without the GIL; cancels it when Python has a signal to
/// handle, or when the rules of a Python game fail.
///
/// # Errors
/// The exception of the signal, or the failure of the rules.
pub(crate) fn interruptible<T: Send>(
    py: Python<'_>,
    game: &AnyGame,
    stop: Option<&Stop>,
    work: impl FnOnce(&CancelToken) -> T + Send,
) -> PyResult<T> {
    guarded(py, game, || interruptible_unless(py, stop, failed(game), work))?
}

fn interruptible_unless<T: Send>(
    py: Python<'_>,
    stop: Option<&Stop>,
    failed: impl Fn() -> bool,
    work: impl FnOnce(&CancelToken) -> T + Send,
) -> PyResult<T> {
    let own = CancelToken::default();
    let token = stop.map_or(&own, |stop| &stop.0);
    let (done, bell) = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let _ring = RingOnDrop { done: &done, bell: &bell };
            work(token)
        });
        let mut signal = Ok(());
        while !py.detach(|| wait(&done, &bell)) {
            if failed() {
                token.cancel();
            }
            signal = py.check_signals();
            if signal.is_err() {
                token.cancel();
                break;
            }
        }
        // The search ends at once, unless the rules of a Python game do not return.
        let mut waited = 0;
        while signal.is_err() && !py.detach(|| wait(&done, &bell)) {
            waited += 1;
            if waited % PATIENCE == 0 {
                interrupt_rules(py);
            }
        }
        let value = py.detach(|| worker.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        signal.map(|()| value)
    })
}

/// Reports the end of the work, also after a panic.
struct RingOnDrop<'a> {
    done: &'a Mutex<bool>,
    bell: &'a Condvar,
}

impl Drop for RingOnDrop<'_> {
    fn drop(&mut self) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_one();
    }
}

/// Waits for one interval; returns whether the work has ended.
fn wait(done: &Mutex<bool>, bell: &Condvar) -> bool {
    let guard = done.lock().unwrap_or_else(PoisonError::into_inner);
    *bell.wait_timeout_while(guard, SIGNAL_INTERVAL, |done| !*done).unwrap_or_else(PoisonError::into_inner).0
}
