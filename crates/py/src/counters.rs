//! The counters of a seat, such as its points.

use std::collections::HashMap;

use pyo3::prelude::*;

use crate::classes::State;
use crate::python_game::guarded;

/// Return the counters of a seat in the view of a spectator.
///
/// Args:
///     state: The state.
///     seat: The seat.
///
/// Returns:
///     The values by the ids of the counters; empty if there is no such seat.
#[pyfunction]
#[pyo3(name = "_counters")]
pub(crate) fn counters(py: Python<'_>, state: &State, seat: usize) -> PyResult<HashMap<String, i64>> {
    guarded(py, &state.game.0, || {
        let seats = state.state.view(None).seats;
        let counters = seats.get(seat).map(|seat| &seat.counters[..]).unwrap_or_default();
        counters.iter().map(|counter| (counter.id.to_string(), counter.value)).collect()
    })
}
