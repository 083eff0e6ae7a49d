//! A position of a Python game.

use std::fmt::{self, Debug};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use pyo3::exceptions::PyValueError;
use pyo3::intern;
use pyo3::prelude::*;
use tavola_core::{Actor, Outcome, PositionError, Seat, SeatSet, Text};

use super::attach::attach;
use super::broken::{Broken, raw, shown};
use super::convert;
use super::fault::Fault;
use super::rules::{Action, Rules};
use crate::precompute::get_or_compute;

/// A position of a Python game. A clone is cheap.
#[derive(Clone)]
pub(crate) struct PythonState(Arc<Position>);

/// A position: the Python object, and what the generic code asks for most, read once and checked.
pub(crate) struct Position {
    rules: Arc<Rules>,
    pub(crate) object: Py<PyAny>,
    pub(crate) actor: Actor,
    pub(crate) legal_actions: Box<[Action]>,
    pub(crate) chance_outcomes: Box<[(Action, u64)]>,
    pub(crate) outcome: Option<Outcome>,
    pub(crate) turn: u32,
    text: OnceLock<String>,
    key: OnceLock<u64>,
}

impl Deref for PythonState {
    type Target = Position;

    fn deref(&self) -> &Position {
        &self.0
    }
}

impl PartialEq for PythonState {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.text() == other.text()
    }
}

impl Eq for PythonState {}

impl Hash for PythonState {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        self.key().hash(hasher);
    }
}

impl Debug for PythonState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl Position {
    /// The position text; `?` after a failure.
    pub(crate) fn text(&self) -> &str {
        if let Some(text) = self.text.get() {
            return text;
        }
        // Outside the cell: within it, a thread with the interpreter could wait for one without.
        match attach(|py| self.read_text(py)) {
            Some(text) => self.text.get_or_init(|| text),
            None => "?",
        }
    }

    fn read_text(&self, py: Python<'_>) -> Option<String> {
        let object = self.object.bind(py);
        let broken = match convert::attribute::<String>(object, intern!(py, "text"), Fault::new("a text")) {
            Ok(text) if !text.is_empty() && !text.chars().any(char::is_control) => return Some(text),
            Ok(text) => {
                let fault = Fault::new("`text` must be one line of text, not {text}");
                Broken::new(fault.with("text", format!("{text:?}")))
            }
            Err(broken) => broken,
        };
        self.rules.failures.add(broken.what, shown(object), broken.cause);
        None
    }

    /// A hash of the text, the same on every machine.
    pub(crate) fn key(&self) -> u64 {
        *get_or_compute(&self.key, || {
            let mut hasher = DefaultHasher::new();
            self.text().hash(&mut hasher);
            hasher.finish()
        })
    }
}

impl Rules {
    /// The first position.
    pub(crate) fn started(self: &Arc<Self>, py: Python<'_>) -> PythonState {
        let started = self.object.bind(py).call_method0(intern!(py, "start"));
        let state =
            started.map_err(|error| Broken::raised(py, "`start`", error)).and_then(|object| self.state(&object));
        state.unwrap_or_else(|broken| self.broken(py, "the start".to_owned(), broken))
    }

    /// The position after an action or chance outcome.
    pub(crate) fn played(self: &Arc<Self>, py: Python<'_>, state: &PythonState, action: Action) -> PythonState {
        let token = self.token(action);
        let played = state.object.bind(py).call_method1(intern!(py, "play"), (token.as_str(),));
        let next = played
            .map_err(|error| Broken::raised(py, &format!("`play({:?})`", token.as_str()), error))
            .and_then(|object| self.state(&object));
        next.unwrap_or_else(|broken| {
            let broken = broken.after(token.as_str());
            self.broken(py, state.text().to_owned(), broken)
        })
    }

    /// The position of a text.
    pub(crate) fn parsed(self: &Arc<Self>, py: Python<'_>, text: &str) -> Result<PythonState, PositionError> {
        let fault = |text: Text| {
            let mut error = PositionError::default();
            error.add("field.position", text);
            error
        };
        let object = match self.object.bind(py).call_method1(intern!(py, "parse"), (text,)) {
            Ok(object) => object,
            Err(error) if error.is_instance_of::<PyValueError>(py) => {
                return Err(fault(raw(&error.value(py).to_string())));
            }
            Err(error) => {
                let broken = Broken::raised(py, "`parse`", error);
                return Ok(self.broken(py, text.to_owned(), broken));
            }
        };
        let state = self.state(&object).unwrap_or_else(|broken| self.broken(py, text.to_owned(), broken));
        let canonical = state.text();
        if canonical != text && canonical != "?" {
            return Err(fault(Text::new("position.written").with("text", canonical)));
        }
        Ok(state)
    }

    /// Records a failure; the state in its place is a draw that is over, so that everything ends.
    pub(crate) fn broken(self: &Arc<Self>, py: Python<'_>, position: String, broken: Broken) -> PythonState {
        self.failures.add(broken.what, position, broken.cause);
        PythonState(Arc::new(Position {
            rules: Arc::clone(self),
            object: py.None(),
            actor: Actor::Terminal,
            legal_actions: Box::default(),
            chance_outcomes: Box::default(),
            outcome: Some(Outcome { winners: SeatSet::EMPTY, reason: "failed" }),
            turn: 1,
            text: OnceLock::from("?".to_owned()),
            key: OnceLock::from(0),
        }))
    }

    /// Reads a state object and checks its contract.
    fn state(self: &Arc<Self>, object: &Bound<'_, PyAny>) -> Result<PythonState, Broken> {
        let py = object.py();
        let outcome = convert::outcome(object, self.seats)?;
        let (mut actor, mut legal_actions, mut chance_outcomes) = (Actor::Terminal, Vec::new(), Vec::new());
        if outcome.is_none() {
            chance_outcomes = convert::chance_outcomes(object, self)?;
            if chance_outcomes.is_empty() {
                let seat: i64 = convert::attribute(object, intern!(py, "to_act"), Fault::new("a seat number"))?;
                if !(0..self.seats as i64).contains(&seat) {
                    let fault = if seat == -1 {
                        Fault::new(
                            "`to_act` is {seat}; the seats are 0 to {last}, and at chance `chance_outcomes` must not \
                             be empty",
                        )
                    } else {
                        Fault::new("`to_act` is {seat}; the seats are 0 to {last}")
                    };
                    return Err(Broken::new(fault.with("seat", seat).with("last", self.seats - 1)));
                }
                actor = Actor::Seat(seat as Seat);
                legal_actions = convert::legal_actions(object, self)?;
                if legal_actions.is_empty() {
                    let fault = Fault::new(
                        "seat {seat} has no legal actions, and there is no outcome; a seat that cannot act needs an \
                         action such as 'pass', or the game is over",
                    );
                    return Err(Broken::new(fault.with("seat", seat)));
                }
            } else {
                actor = Actor::Chance;
            }
        }
        let turn: u32 = convert::attribute(object, intern!(py, "turn"), Fault::new("a number from 1"))?;
        Ok(PythonState(Arc::new(Position {
            rules: Arc::clone(self),
            object: object.clone().unbind(),
            actor,
            legal_actions: legal_actions.into(),
            chance_outcomes: chance_outcomes.into(),
            outcome,
            turn,
            text: OnceLock::new(),
            key: OnceLock::new(),
        })))
    }
}
