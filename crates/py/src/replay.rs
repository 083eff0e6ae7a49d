//! Replays the games of an archive for the keys of their positions.

use numpy::{PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tavola_core::CancelToken;
use tavola_registry::AnyGame;

use crate::classes::Game;
use crate::interrupt::interruptible;

/// Replay the games of an archive.
///
/// Args:
///     game: The game.
///     lengths: The number of actions and random events of each game: uint32.
///     choices: The rank of each action among the legal ones, or of each random event among the
///         outcomes: uint16, all games one after the other.
///
/// Returns:
///     The keys of all positions, first and last ones included: uint64, shape
///     (len(choices) + len(lengths),).
///
/// Raises:
///     ValueError: If the lengths do not add up, or a game cannot be replayed or does not end.
#[pyfunction]
#[pyo3(name = "_replay_keys")]
pub(crate) fn replay_keys<'py>(
    py: Python<'py>,
    game: &Game,
    lengths: PyReadonlyArray1<'py, u32>,
    choices: PyReadonlyArray1<'py, u16>,
) -> PyResult<Bound<'py, PyAny>> {
    let (lengths, choices) = (lengths.as_slice()?, choices.as_slice()?);
    if lengths.iter().map(|&length| length as usize).sum::<usize>() != choices.len() {
        return Err(PyValueError::new_err("the lengths do not add up to the number of choices"));
    }
    let keys = interruptible(py, &game.0, None, |stop| replay(&game.0, lengths, choices, stop))?;
    match keys {
        Ok(keys) => Ok(keys.to_pyarray(py).into_any()),
        Err(place) => Err(PyValueError::new_err(format!("game {place} cannot be replayed"))),
    }
}

/// The keys, or the place of a game that cannot be replayed.
fn replay(game: &AnyGame, lengths: &[u32], mut choices: &[u16], stop: &CancelToken) -> Result<Vec<u64>, usize> {
    let mut keys = Vec::with_capacity(choices.len() + lengths.len());
    let start = game.start();
    for (place, &length) in lengths.iter().enumerate() {
        if stop.is_cancelled() {
            break;
        }
        let (own, others) = choices.split_at(length as usize);
        choices = others;
        if !start.replay(own, &mut keys) {
            return Err(place);
        }
    }
    Ok(keys)
}
