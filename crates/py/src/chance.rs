//! Outcomes of chance by a random generator of Python.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tavola_core::Actor;
use tavola_registry::AnyState;

/// Draws an outcome of chance by a `numpy.random.Generator` or a `random.Random`.
///
/// # Errors
/// `ValueError` if chance does not act, `TypeError` for another generator.
pub(crate) fn sample(state: &AnyState, rng: &Bound<'_, PyAny>) -> PyResult<String> {
    let total = state.chance_total();
    if total == 0 {
        return Err(PyValueError::new_err(match state.to_act() {
            Actor::Seat(seat) => format!("chance does not act here; seat {seat} does: check to_act == CHANCE first"),
            _ => "chance does not act here; the game is over".to_owned(),
        }));
    }
    let ticket: u64 = if rng.hasattr("integers")? {
        // The widest type, so that every sum of weights fits.
        let options = PyDict::new(rng.py());
        options.set_item("dtype", "uint64")?;
        rng.call_method("integers", (total,), Some(&options))?.extract()?
    } else if rng.hasattr("randrange")? {
        rng.call_method1("randrange", (total,))?.extract()?
    } else {
        let name = rng.get_type().name()?;
        return Err(PyTypeError::new_err(format!(
            "rng must be a numpy.random.Generator or a random.Random, not {name}"
        )));
    };
    let wrong = || PyValueError::new_err(format!("rng drew {ticket}, and not a number below {total}"));
    state.chance_outcome(ticket).ok_or_else(wrong)
}
