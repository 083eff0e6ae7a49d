//! Review of a played game: the value of positions, the effect of actions, the balance.

use std::sync::{Arc, Mutex, PoisonError};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use tavola_coach::{Evaluator, JudgedAction, Summary, Trees, Value};
use tavola_registry::Limits;

use crate::arguments::{Int, threads_or_all};
use crate::classes::State;
use crate::errors;
use crate::interrupt::{Stop, interruptible};
use crate::network::Network;

/// Search trees of positions, for longer and longer evaluations of the same positions.
#[pyclass(frozen, name = "_Trees", module = "tavola._core")]
pub(crate) struct KeptTrees(Mutex<Trees>);

#[pymethods]
impl KeptTrees {
    #[new]
    fn new() -> Self {
        Self(Mutex::default())
    }
}

fn limits(seconds: Option<f64>, nodes: Option<Int>, threads: Option<Int>, seed: Int) -> PyResult<Limits> {
    Ok(Limits {
        seconds,
        nodes: nodes.map(|nodes| nodes.at_least(1, "nodes")).transpose()?,
        threads: threads_or_all(threads)?,
        seed: seed.at_least(0, "seed")?,
        ..Limits::default()
    })
}

/// A network, which must be for the game of a state.
fn shared(py: Python<'_>, state: &State, network: Option<&Network>) -> PyResult<Option<Arc<tavola_registry::Network>>> {
    let checked = network.map(|network| network.check(py, &state.game).map(|()| Arc::clone(&network.network)));
    checked.transpose()
}

fn read<T: DeserializeOwned>(json: &str) -> PyResult<T> {
    serde_json::from_str(json).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn written(value: &impl serde::Serialize) -> String {
    serde_json::to_string(value).expect("a review is data")
}

/// Evaluate a position by search; where chance acts, every outcome.
///
/// Args:
///     state: The position.
///     place: Its index in the game, from which its random seed is derived.
///     seconds: The time limit.
///     nodes: The maximum number of nodes.
///     threads: The number of threads; all cores if None.
///     seed: The random seed.
///     stop: Stops the search from another thread. Ctrl-C sets it too.
///     trees: Trees that the search continues.
///     network: A network for the game and its options, which values the leaves.
///
/// Returns:
///     A `Value` of `tavola.analysis.evaluator` as JSON.
///
/// Raises:
///     ValueError: If a limit is out of range, or the network is for another game.
#[allow(clippy::too_many_arguments)] // the keywords of the Python function
#[pyfunction]
#[pyo3(name = "_evaluate")]
#[pyo3(signature = (state, place, *, seconds=None, nodes=None, threads=None, seed=Int::new(0), stop=None, trees=None, network=None),
    text_signature = "(state, place, *, seconds=None, nodes=None, threads=None, seed=0, stop=None, trees=None, network=None)")]
pub(crate) fn evaluate(
    py: Python<'_>,
    state: &State,
    place: u64,
    seconds: Option<f64>,
    nodes: Option<Int>,
    threads: Option<Int>,
    seed: Int,
    stop: Option<&Stop>,
    trees: Option<&KeptTrees>,
    network: Option<&Network>,
) -> PyResult<String> {
    let limits = limits(seconds, nodes, threads, seed)?;
    let (game, core) = (&state.game.0, &state.state);
    let mut trees = trees.map(|trees| trees.0.lock().unwrap_or_else(PoisonError::into_inner));
    let kept = trees.as_deref_mut();
    let network = shared(py, state, network)?;
    let found = interruptible(py, game, stop, |flag| {
        Evaluator::new(game, &limits, flag, kept).with_network(network).value(core, place)
    });
    if let (Err(_), Some(trees)) = (&found, &mut trees) {
        trees.forget(); // after a failure of the rules the trees are wrong
    }
    Ok(written(&found?))
}

/// Judge an action, and evaluate the position after it.
///
/// Args:
///     state: The position before the action.
///     token: The action or chance outcome.
///     before: The value of that position as JSON.
///     place: The index of that position in the game.
///     seconds: The time limit of each of up to two evaluations.
///     nodes: The maximum number of nodes of each.
///     threads: The number of threads; all cores if None.
///     seed: The random seed.
///     stop: Stops the searches from another thread. Ctrl-C sets it too.
///     network: A network for the game and its options, which values the leaves.
///
/// Returns:
///     An `Action` of `tavola.analysis`, and a `Value`, as JSON.
///
/// Raises:
///     IllegalAction: If the action is not legal.
///     ValueError: If a limit is out of range, `before` is not a value, or the network is for
///         another game.
#[allow(clippy::too_many_arguments)] // the keywords of the Python function
#[pyfunction]
#[pyo3(name = "_judge")]
#[pyo3(signature = (state, token, before, place, *, seconds=None, nodes=None, threads=None, seed=Int::new(0), stop=None, network=None),
    text_signature = "(state, token, before, place, *, seconds=None, nodes=None, threads=None, seed=0, stop=None, network=None)")]
pub(crate) fn judge(
    py: Python<'_>,
    state: &State,
    token: &str,
    before: &str,
    place: u64,
    seconds: Option<f64>,
    nodes: Option<Int>,
    threads: Option<Int>,
    seed: Int,
    stop: Option<&Stop>,
    network: Option<&Network>,
) -> PyResult<(String, String)> {
    let limits = limits(seconds, nodes, threads, seed)?;
    let before: Value = read(before)?;
    let (game, core) = (&state.game.0, &state.state);
    let network = shared(py, state, network)?;
    let judged = interruptible(py, game, stop, |flag| {
        Evaluator::new(game, &limits, flag, None).with_network(network).judge(core, token, &before, place)
    })?;
    let (action, after) = judged.map_err(|error| errors::illegal(py, game, core, error))?;
    Ok((written(&action), written(&after)))
}

/// Summarize a review: the balance of each seat, and the decisive actions.
///
/// Args:
///     shares: The shares of the positions, at least one.
///     actions: The judged actions between them as JSON.
///
/// Returns:
///     The balances and the indices of the decisive actions as JSON.
///
/// Raises:
///     ValueError: If there is no position, or `actions` are not judged actions.
#[pyfunction]
#[pyo3(name = "_summarize")]
pub(crate) fn summarize(shares: Vec<Vec<f64>>, actions: &str) -> PyResult<String> {
    let actions: Vec<JudgedAction> = read(actions)?;
    if shares.is_empty() {
        return Err(PyValueError::new_err("there is no position"));
    }
    Ok(written(&Summary::new(&shares, &actions)))
}
