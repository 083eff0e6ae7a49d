//! Calls into the rules of a game that raise the failures of a Python game, and panics of the core.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use tavola_registry::AnyGame;

use super::failures::Failures;
use super::rules::PythonGame;

/// Whether a game has had more failures than a given number; false for a compiled game.
pub(crate) fn failed(game: &AnyGame) -> impl Fn() -> bool + '_ {
    let failures = game.downcast::<PythonGame>().map(|game| &game.0.failures);
    let before = failures.map_or(0, Failures::count);
    move || failures.is_some_and(|failures| failures.count() != before)
}

/// Runs work that asks a game for its rules.
///
/// # Errors
/// The failure of a Python game during the work; `RuntimeError` for a panic, which Python could not catch as an exception.
pub(crate) fn guarded<T>(py: Python<'_>, game: &AnyGame, work: impl FnOnce() -> T) -> PyResult<T> {
    let work = || {
        catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
            let message =
                panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
            PyRuntimeError::new_err(format!(
                "a fault of Tavola's core, please report it: {}",
                message.unwrap_or("a panic")
            ))
        })
    };
    let Some(PythonGame(rules)) = game.downcast::<PythonGame>() else { return work() };
    let before = rules.failures.count();
    let value = work();
    if rules.failures.count() == before { value } else { Err(rules.failures.exception(py, rules.info.name)) }
}
