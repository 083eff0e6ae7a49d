//! Replays the games of an archive for the keys of their positions.

use numpy::{PyReadonlyArray1, ToPyArray};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tavola_core::{Actor, CancelToken};
use tavola_registry::{AnyGame, AnyState};

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
    let mut ids = Vec::new();
    for (place, &length) in lengths.iter().enumerate() {
        if stop.is_cancelled() {
            break;
        }
        let (own, others) = choices.split_at(length as usize);
        choices = others;
        let mut state = game.start();
        keys.push(state.key());
        for &choice in own {
            state = after(&state, usize::from(choice), &mut ids).ok_or(place)?;
            keys.push(state.key());
        }
        if state.to_act() != Actor::Terminal {
            return Err(place);
        }
    }
    Ok(keys)
}

/// The state after a choice; `None` if the position has fewer.
fn after(state: &AnyState, choice: usize, ids: &mut Vec<i32>) -> Option<AnyState> {
    if state.to_act() == Actor::Chance {
        let outcomes = state.chance_outcomes();
        return state.play(&outcomes.get(choice)?.0).ok();
    }
    ids.clear();
    state.legal_ids(ids);
    state.play_id(usize::try_from(*ids.get(choice)?).ok()?).ok()
}
