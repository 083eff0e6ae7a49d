//! A game being played.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tavola_core::matches::{self, Position, Termination};
use tavola_core::{Actor, MAX_SEATS, SeatSet, SmolStr};

use crate::classes::State;
use crate::python_game::interned;
use crate::results::Outcome;

/// A state, which all matches with its position share.
pub(crate) struct Held(Py<State>);

impl Position for Held {
    fn to_act(&self) -> Actor {
        self.0.get().state.to_act()
    }

    fn turn(&self) -> u32 {
        self.0.get().state.turn()
    }

    fn outcome(&self) -> Option<tavola_core::Outcome> {
        self.0.get().state.outcome()
    }
}

/// Seats from Python: any iterable of seat numbers.
pub(crate) struct Seats(SeatSet);

impl<'py> FromPyObject<'_, 'py> for Seats {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        object.try_iter()?.try_fold(SeatSet::EMPTY, |seats, seat| Ok(seats.with(checked(seat?.extract()?)?))).map(Self)
    }
}

fn checked(seat: u8) -> PyResult<u8> {
    let known = Some(seat).filter(|&seat| usize::from(seat) < MAX_SEATS);
    known.ok_or_else(|| PyValueError::new_err(format!("a seat must be 0 to {}, not {seat}", MAX_SEATS - 1)))
}

/// A game being played: actions, turns, undo, confirmation, and the end.
///
/// It neither plays actions nor draws random events: `append` takes the state after them.
///
/// Args:
///     start: The first state.
///     confirming: The seats that confirm their turns; those of all others are confirmed at once.
///         None if turns need no confirmation.
#[pyclass(module = "tavola._core")]
#[derive(Clone)]
pub(crate) struct MatchCore(matches::Match<Held>);

#[pymethods]
impl MatchCore {
    #[new]
    #[pyo3(signature = (start, confirming=None))]
    fn new(start: Py<State>, confirming: Option<Seats>) -> Self {
        let seats = start.get().game.0.seats();
        Self(matches::Match::new(Held(start), seats, confirming.map(|seats| seats.0)))
    }

    /// Return a copy, which later changes of this one do not change.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// The current state.
    #[getter]
    fn state<'py>(&self, py: Python<'py>) -> &Bound<'py, State> {
        self.0.position().0.bind(py)
    }

    /// The states from the first to the current one, one more than `actions`.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let states = (0..=self.0.played().len()).map(|count| self.0.position_after(count).0.bind(py));
        PyTuple::new(py, states.collect::<Vec<_>>())
    }

    /// The tokens of the actions in force, including chance outcomes.
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.played().iter().map(|action| action.token.as_str()))
    }

    fn __len__(&self) -> usize {
        self.0.played().len()
    }

    /// Add an action or random event, which leads from the current state to `after`.
    fn append(&mut self, token: &str, after: Py<State>) {
        self.0.append(SmolStr::new(token), Held(after));
    }

    /// Remove all actions but the first ones.
    fn undo(&mut self, keep: usize) {
        self.0.undo(keep);
    }

    /// Confirm all actions.
    fn confirm(&mut self) {
        self.0.confirm();
    }

    /// Change the seats that confirm their turns, if turns need a confirmation.
    fn set_confirming(&mut self, seats: Seats) {
        self.0.set_confirming(seats.0);
    }

    /// End the match by another cause than the rules.
    ///
    /// Args:
    ///     reason: The cause, as a code.
    ///     loser: The seat that has lost; None for a draw.
    #[pyo3(signature = (reason, loser=None))]
    fn end(&mut self, reason: &str, loser: Option<u8>) -> PyResult<()> {
        let loser = loser.map(checked).transpose()?;
        self.0.end(Termination { reason: interned(reason), loser });
        Ok(())
    }

    /// Return the match after some of its actions, all confirmed, and without a termination.
    fn at(&self, count: usize) -> Self {
        Self(self.0.at(count))
    }

    /// The state of the match: "playing", "confirming" or "over".
    #[getter]
    fn status(&self) -> &'static str {
        self.0.status().code()
    }

    /// The seat to act or to confirm; None where chance acts, and at the end.
    #[getter]
    fn acting(&self) -> Option<u8> {
        self.0.acting()
    }

    /// The number of the turn that is played or waits for its confirmation.
    #[getter]
    fn turn(&self) -> u32 {
        self.0.turn()
    }

    /// The end, by the rules or otherwise; None before it.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome().as_ref().map(Outcome::of)
    }

    /// The cause of an end that the rules did not bring about, or None.
    #[getter]
    fn termination(&self) -> Option<&'static str> {
        Some(self.0.termination()?.reason)
    }

    /// The seat that lost by another cause than the rules, or None.
    #[getter]
    fn loser(&self) -> Option<u8> {
        self.0.termination()?.loser
    }

    /// Whether a seat has not completed a turn yet.
    #[getter]
    fn is_opening(&self) -> bool {
        self.0.is_opening()
    }

    /// The number of random events among the actions in force.
    #[getter]
    fn random_events(&self) -> usize {
        self.0.played().last().map_or(0, |last| last.random_events)
    }

    /// Return the number of actions before the turn of an action.
    fn turn_start(&self, place: usize) -> PyResult<usize> {
        let action = self.0.played().get(place);
        Ok(action.ok_or_else(|| PyIndexError::new_err(format!("there is no action {place}")))?.turn_start)
    }

    /// Return whether one of these seats has acted.
    fn has_acted(&self, seats: Seats) -> bool {
        self.0.has_acted(seats.0)
    }

    /// Return the place of the last action of these seats, or None.
    fn last_action_of(&self, seats: Seats) -> Option<usize> {
        self.0.last_action_of(seats.0)
    }

    /// Return the place of the last action of these seats; None if it cannot be undone.
    fn undoable(&self, seats: Seats) -> Option<usize> {
        self.0.undoable(seats.0)
    }

    /// Return whether it is the place of the last action, and the action is not confirmed.
    fn is_unconfirmed(&self, place: usize) -> bool {
        self.0.is_unconfirmed(place)
    }

    /// Return the number of actions that stay after an undo of these seats' last action or turn.
    ///
    /// None if nothing can be undone.
    fn length_after_undo(&self, seats: Seats, whole_turn: bool) -> Option<usize> {
        self.0.length_after_undo(seats.0, whole_turn)
    }
}
