//! Attaches threads to the interpreter for the rules of a game, and interrupts rules that do not return.

use std::ffi::c_long;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::ffi;
use pyo3::prelude::*;

/// The identifiers of the threads that run rules, one for each call.
static RUNNING: Mutex<Vec<c_long>> = Mutex::new(Vec::new());

/// The identifier of this thread, as `threading.get_ident` returns it.
#[cfg(unix)]
fn this_thread() -> c_long {
    // SAFETY: the call has no preconditions.
    unsafe { libc::pthread_self() as c_long }
}

/// On other systems rules that do not return are not interrupted.
#[cfg(not(unix))]
fn this_thread() -> c_long {
    0
}

fn with<T>(work: impl FnOnce(&mut Vec<c_long>) -> T) -> T {
    work(&mut RUNNING.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Removes the thread from the list, also after a panic.
struct Leave(c_long);

impl Drop for Leave {
    fn drop(&mut self) {
        with(|running| {
            if let Some(place) = running.iter().rposition(|&thread| thread == self.0) {
                running.swap_remove(place);
            }
        });
    }
}

/// Runs the rules of a Python game with the interpreter.
pub(crate) fn attach<T>(work: impl for<'py> FnOnce(Python<'py>) -> T) -> T {
    Python::attach(|py| {
        let thread = this_thread();
        with(|running| running.push(thread));
        let _leave = Leave(thread);
        work(py)
    })
}

/// Raises `KeyboardInterrupt` in all other threads that run rules.
pub(crate) fn interrupt_rules(py: Python<'_>) {
    let own = this_thread();
    let threads: Vec<c_long> =
        with(|running| running.iter().copied().filter(|&thread| thread != own && thread != 0).collect());
    let exception = py.get_type::<PyKeyboardInterrupt>();
    for thread in threads {
        // SAFETY: the interpreter is attached. A thread that has ended is unknown to it, and nothing happens.
        unsafe { ffi::PyThreadState_SetAsyncExc(thread, exception.as_ptr()) };
    }
}
