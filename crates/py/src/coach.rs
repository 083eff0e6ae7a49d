//! The judge of lessons and puzzles, hints, and "Why not this?".

use std::collections::BTreeMap;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tavola_coach::{Fault, Lesson};
use tavola_registry::Limits;

use crate::classes::{Game, State};
use crate::errors;
use crate::interrupt::{Stop, interruptible};
use crate::python_game::guarded;

/// The status of a try, its actions with the states before them, the last state, the text by language, the hint.
type Judged = (&'static str, Vec<(State, String)>, State, Option<BTreeMap<String, String>>, Option<String>);

fn read(lesson: &str) -> PyResult<Lesson> {
    serde_json::from_str(lesson).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn raised(py: Python<'_>, game: &Game, fault: Fault) -> PyErr {
    match fault {
        Fault::Illegal(error, state) => errors::illegal(py, &game.0, &state, error),
        Fault::Lesson(message) => errors::lesson(py, &message),
    }
}

/// Return the first state of a step of a lesson.
///
/// Args:
///     game: The game under the options of the lesson.
///     lesson: The lesson as JSON.
///     step: The index of the step.
///
/// Raises:
///     LessonError: If the position cannot be read, or another seat is to act.
#[pyfunction]
#[pyo3(name = "_lesson_start")]
pub(crate) fn lesson_start(py: Python<'_>, game: &Game, lesson: &str, step: usize) -> PyResult<State> {
    let lesson = read(lesson)?;
    let started = guarded(py, &game.0, || tavola_coach::start(&game.0, &lesson, step))?;
    let state = started.map_err(|fault| raised(py, game, fault))?;
    Ok(State { game: game.clone(), state })
}

/// Play a try at a step of a lesson and judge it.
///
/// Args:
///     game: The game under the options of the lesson.
///     lesson: The lesson as JSON.
///     step: The index of the step.
///     line: The actions of the player in this step, without chance outcomes and replies.
///
/// Returns:
///     The status, the actions played with the states before them, the last state, the text by
///     language, and the next action of a solution.
///
/// Raises:
///     IllegalAction: If an action cannot be played.
///     LessonError: As `_lesson_start`.
#[pyfunction]
#[pyo3(name = "_lesson_attempt")]
pub(crate) fn lesson_attempt(
    py: Python<'_>,
    game: &Game,
    lesson: &str,
    step: usize,
    line: Vec<String>,
) -> PyResult<Judged> {
    let lesson = read(lesson)?;
    let tried = guarded(py, &game.0, || tavola_coach::attempt(&game.0, &lesson, step, &line))?;
    let tried = tried.map_err(|fault| raised(py, game, fault))?;
    let state = |state| State { game: game.clone(), state };
    let played = tried.played.into_iter().map(|played| (state(played.before), played.token)).collect();
    Ok((tried.status.word(), played, state(tried.state), tried.text, tried.hint))
}

/// Search a position for a hint.
///
/// Args:
///     state: A position in which a seat is to act.
///     stop: Stops the search from another thread.
///
/// Returns:
///     The action and its reasons as JSON.
///
/// Raises:
///     ValueError: If no seat is to act.
#[pyfunction]
#[pyo3(name = "_hint", signature = (state, *, stop=None))]
pub(crate) fn hint(py: Python<'_>, state: &State, stop: Option<&Stop>) -> PyResult<String> {
    let (game, position) = (&state.game.0, &state.state);
    let found = interruptible(py, game, stop, |flag| tavola_coach::hint(game, position, None, flag))?;
    let found = found.ok_or_else(|| PyValueError::new_err("no seat is to act"))?;
    Ok(serde_json::to_string(&found).expect("a hint is data"))
}

/// Explain why an action is worse than the best one.
///
/// Args:
///     state: A state in which a seat is to act.
///     token: A legal action.
///     nodes: The maximum number of nodes of each of up to five searches.
///     seconds: The time limit of each search.
///     stop: Stops the searches from another thread. Ctrl-C sets it too.
///
/// Returns:
///     A `WhyNot` as JSON: the cost of the action, the reply of another seat, and its reasons.
///
/// Raises:
///     IllegalAction: If the action is not legal, or no seat is to act.
#[pyfunction]
#[pyo3(name = "_why_not")]
#[pyo3(signature = (state, token, *, nodes, seconds=None, stop=None))]
pub(crate) fn why_not(
    py: Python<'_>,
    state: &State,
    token: &str,
    nodes: u64,
    seconds: Option<f64>,
    stop: Option<&Stop>,
) -> PyResult<String> {
    let limits = Limits { nodes: Some(nodes), seconds, seed: 1, ..Limits::default() };
    let (game, core) = (&state.game.0, &state.state);
    let found = interruptible(py, game, stop, |flag| tavola_coach::why_not(game, core, token, &limits, flag))?;
    let found = found.map_err(|error| errors::illegal(py, game, core, error))?;
    Ok(serde_json::to_string(&found).expect("an explanation is data"))
}
