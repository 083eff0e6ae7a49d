//! Many positions of one game: sequences of states in, arrays out.

use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::classes::{Game, State};

/// The states of a sequence.
pub(crate) fn states_of<'py>(states: &Bound<'py, PyAny>) -> PyResult<Vec<Bound<'py, State>>> {
    if states.is_instance_of::<State>() {
        return Err(PyTypeError::new_err("states must be a sequence of states; for one state use search"));
    }
    let state = |(number, state): (usize, PyResult<Bound<'py, PyAny>>)| {
        let state = state?;
        let name = state.get_type().name()?;
        state.cast_into().map_err(|_| PyTypeError::new_err(format!("states[{number}] must be a State, not {name}")))
    };
    states.try_iter()?.enumerate().map(state).collect()
}

/// The game of all these states.
///
/// # Errors
/// `ValueError` if there are none, or they are of several games.
pub(crate) fn of_one_game(py: Python<'_>, states: &[Bound<'_, State>]) -> PyResult<Game> {
    let Some(first) = states.first() else {
        return Err(PyValueError::new_err("states must contain at least one state"));
    };
    let game = &first.get().game;
    let other = states.iter().enumerate().find(|(_, state)| !state.get().game.same(game));
    if let Some((number, other)) = other {
        let (ours, theirs) = (game.text(py)?, other.get().game.text(py)?);
        return Err(PyValueError::new_err(format!(
            "states must be of one game, and states[0] is of {ours} and states[{number}] of {theirs}"
        )));
    }
    Ok(game.clone())
}

/// The rows of policies and values as `tavola.Targets`.
pub(crate) fn targets_as_arrays(
    py: Python<'_>,
    count: usize,
    actions: usize,
    policies: Vec<f32>,
    values: Vec<f32>,
) -> PyResult<Bound<'_, PyAny>> {
    let seats = values.len() / count;
    let policies = PyArray1::from_vec(py, policies).reshape([count, actions])?;
    let values = PyArray1::from_vec(py, values).reshape([count, seats])?;
    py.import("tavola.targets")?.getattr("Targets")?.call1((policies, values))
}
