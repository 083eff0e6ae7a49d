//! Counting and random play in the compiled core.

use std::time::Instant;

use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::arguments::{Int, threads_or_all};
use crate::classes::State;
use crate::interrupt::interruptible;

/// Count the sequences of exactly `depth` actions.
///
/// A chance outcome counts once, whatever its weight.
///
/// Args:
///     state: The first position.
///     depth: The length of the sequences in actions.
///
/// Returns:
///     The number of sequences. A finished game has none of length 1 or more.
///
/// Raises:
///     ValueError: If `depth` is negative.
///
/// >>> [perft(load("potlatch").start(), depth) for depth in range(6)]
/// [1, 5, 53, 314, 3302, 27933]
#[pyfunction]
pub(crate) fn perft(py: Python<'_>, state: &State, depth: Int) -> PyResult<u64> {
    let depth = depth.at_least(0, "depth")?;
    let core = &state.state;
    let count = interruptible(py, &state.game.0, None, |stop| core.perft(depth, stop))?;
    Ok(count.expect("only an exception stops the count"))
}

/// Play random games to the end in the compiled core.
///
/// The result depends on `seed` and `count`, not on `threads`.
///
/// Args:
///     state: The first position of every game.
///     count: The number of games.
///     seed: The seed of all random choices.
///     threads: The number of threads.
///
/// Raises:
///     ValueError: If `count` is negative or `threads` is 0.
///
/// >>> playouts(load("potlatch").start(), 100).count
/// 100
#[pyfunction]
#[pyo3(signature = (state, count, seed=Int::new(0), threads=Int::new(1)), text_signature = "(state, count, seed=0, threads=1)")]
pub(crate) fn playouts(py: Python<'_>, state: &State, count: Int, seed: Int, threads: Int) -> PyResult<Playouts> {
    let (count, seed) = (count.at_least(0, "count")?, seed.at_least(0, "seed")?);
    let threads = threads_or_all(Some(threads))?.get();
    let core = &state.state;
    let start = Instant::now();
    let total = interruptible(py, &state.game.0, None, |stop| core.playouts(count, seed, threads, stop))?;
    Ok(Playouts { total, seconds: start.elapsed().as_secs_f64() })
}

/// The results of random games.
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Playouts {
    total: tavola_core::Playouts,
    seconds: f64,
}

#[pymethods]
impl Playouts {
    /// The number of finished games.
    #[getter]
    fn count(&self) -> u64 {
        self.total.count
    }

    /// The number of actions in all games, chance outcomes included.
    #[getter]
    fn actions(&self) -> u64 {
        self.total.actions
    }

    /// The mean return of each seat, from -1 to 1; the sum is 0.
    #[getter]
    fn mean_returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.total.count.max(1) as f64;
        PyTuple::new(py, self.total.returns.iter().map(|sum| sum / count))
    }

    /// The duration in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn __repr__(&self) -> String {
        format!("<Playouts count={} actions={} seconds={:.2}>", self.total.count, self.total.actions, self.seconds)
    }
}
