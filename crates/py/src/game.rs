//! Games and their states: immutable values.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use tavola_core::svg::{Colours, Notes};
use tavola_core::{Actor, SmolStr};
use tavola_registry::{AnyGame, AnyState};

use crate::catalogue;
use crate::describe::theme;
use crate::errors;
use crate::events::LazyEvents;
use crate::gc::Untracked;
use crate::legal_actions::LegalActions;
use crate::python_game::guarded;
use crate::results::{Outcome, Winners};
use crate::view::LazyView;

/// The result of `__reduce__`: a function and its arguments.
type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// A game with its options: immutable, hashable, comparable, picklable.
///
/// >>> game = load("potlatch", actions=3)
/// >>> game.name, game.seats, game.options["actions"]
/// ('potlatch', 2, 3)
#[pyclass(frozen, module = "tavola._core")]
#[derive(Clone)]
pub(crate) struct Game(pub(crate) AnyGame);

impl Game {
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.0.info().name == other.0.info().name && self.0.options() == other.0.options()
    }

    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.info().name, self.0.options()).hash(&mut hasher);
        hasher.finish()
    }
}

/// Return the names of all games, sorted; also of registered Python games.
///
/// >>> "potlatch" in games()
/// True
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, catalogue::names(py)?)
}

/// Load a game. Missing options have their defaults.
///
/// Args:
///     name: The name of the game, or the path of a Python file with a game (`mygame.py`).
///     **options: Values by option, numbers or words. `rules_version` selects an older
///         version of the rules that the game still supports.
///
/// Raises:
///     UnknownGame: If there is no such game.
///     OptionError: If the game has no such option or value; lists every valid one.
///     GameFailed: If a Python file contains no game, or its rules fail.
///
/// >>> load("potlatch", actions=3)
/// tavola.load("potlatch", actions=3, layout='triangle')
#[pyfunction]
#[pyo3(signature = (name, /, **options))]
pub(crate) fn load(py: Python<'_>, name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
    let mut given: Vec<(String, String)> = Vec::new();
    for (option, value) in options.into_iter().flatten() {
        // Values are words or numbers; both are identified by their text.
        given.push((option.extract()?, value.str()?.extract()?));
    }
    catalogue::open(py, name, &given).map(Game)
}

/// Restore a pickled game.
///
/// Args:
///     name: The name of the game.
///     options: Values by option.
#[pyfunction]
#[pyo3(name = "_restore_game")]
pub(crate) fn restore_game(py: Python<'_>, name: &str, options: &Bound<'_, PyDict>) -> PyResult<Game> {
    load(py, name, Some(options))
}

#[pymethods]
impl Game {
    /// The name, as in `load`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.info().name
    }

    /// The values of all options.
    #[getter]
    pub(crate) fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for (name, value) in self.0.options().iter() {
            // A number only if its text is how the number is written: `05` is a word.
            match value.parse::<i64>().ok().filter(|number| number.to_string() == value) {
                Some(number) => options.set_item(name, number)?,
                None => options.set_item(name, value)?,
            }
        }
        Ok(options)
    }

    /// The number of players.
    #[getter]
    fn seats(&self) -> usize {
        self.0.seats()
    }

    /// The version of the rules.
    ///
    /// It increases when the same actions can lead to another result. An old match may use an
    /// older version.
    #[getter]
    fn rules_version(&self) -> u32 {
        self.0.options().rules_version()
    }

    /// Whether the game has chance outcomes, such as a shuffle or a roll.
    #[getter]
    fn has_chance(&self) -> bool {
        self.0.info().has_chance
    }

    /// The number of distinct actions of seats.
    ///
    /// The actions are numbered from 0 to this number minus 1.
    #[getter]
    fn action_count(&self) -> usize {
        self.0.action_count()
    }

    /// The weights of the game's evaluation by feature; empty without an evaluation.
    ///
    /// >>> load("potlatch").weights["stacks_3"] > 0
    /// True
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let weights = PyDict::new(py);
        for (name, weight) in self.0.features().iter().zip(self.0.weights()) {
            // The number that is written in the file, and not the nearest of 32 bits.
            weights.set_item(name, weight.to_string().parse::<f64>()?)?;
        }
        Ok(weights)
    }

    /// Return the first position.
    fn start(&self, py: Python<'_>) -> PyResult<Untracked<State>> {
        let state = guarded(py, &self.0, || self.0.start())?;
        Ok(Untracked(State { game: self.clone(), state }))
    }

    /// Parse a position text, in the format of the game's rule book.
    ///
    /// Args:
    ///     text: A position text, as of `State.text`.
    ///
    /// Raises:
    ///     PositionError: With every error in the text.
    ///
    /// >>> game = load("potlatch")
    /// >>> game.parse(game.start().text) == game.start()
    /// True
    pub(crate) fn parse(&self, py: Python<'_>, text: &str) -> PyResult<Untracked<State>> {
        let state = guarded(py, &self.0, || self.0.parse(text))?
            .map_err(|error| errors::position(py, &self.0, text, &error))?;
        Ok(Untracked(State { game: self.clone(), state }))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    #[pyo3(name = "__repr__")]
    pub(crate) fn text(&self, py: Python<'_>) -> PyResult<String> {
        let mut arguments = vec![format!("{:?}", self.name())];
        for (name, value) in self.options(py)? {
            arguments.push(format!("{name}={}", value.repr()?));
        }
        Ok(format!("tavola.load({})", arguments.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (&'static str, Bound<'py, PyDict>)>> {
        Ok((py.import("tavola._core")?.getattr("_restore_game")?, (self.name(), self.options(py)?)))
    }
}

/// A position: immutable, hashable, comparable, picklable. A notebook shows its picture.
///
/// Two states are equal if their games are equal and the rules cannot distinguish them.
///
/// >>> state = load("potlatch").start()
/// >>> state.to_act, len(state.legal_actions)
/// (0, 5)
#[pyclass(frozen, module = "tavola._core")]
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) game: Game,
    pub(crate) state: AnyState,
}

/// Restore a pickled state.
///
/// Args:
///     name: The name of the game.
///     options: Values by option.
///     text: The position text.
#[pyfunction]
#[pyo3(name = "_restore_state")]
pub(crate) fn restore_state(
    py: Python<'_>,
    name: &str,
    options: &Bound<'_, PyDict>,
    text: &str,
) -> PyResult<Untracked<State>> {
    restore_game(py, name, options)?.parse(py, text)
}

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("views are plain data")
}

impl State {
    fn name(&self) -> &'static str {
        self.game.0.info().name
    }

    fn next(&self, py: Python<'_>, token: &str) -> PyResult<Self> {
        match guarded(py, &self.game.0, || self.state.play(token))? {
            Ok(state) => Ok(Self { game: self.game.clone(), state }),
            Err(error) => Err(errors::illegal(py, &self.game.0, &self.state, error)),
        }
    }
}

#[pymethods]
impl State {
    /// The game of this position.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The seat to act, `CHANCE`, or None after the end of the game.
    #[getter]
    fn to_act(&self) -> Option<i8> {
        match self.state.to_act() {
            Actor::Seat(seat) => Some(seat as i8),
            Actor::Chance => Some(-1),
            Actor::Terminal => None,
        }
    }

    /// The legal actions of the seat to act, in the order of their numbers.
    ///
    /// Empty for chance and after the end of the game.
    #[getter]
    fn legal_actions(&self) -> LegalActions {
        LegalActions { game: self.game.0.clone(), indices: self.state.legal_actions() }
    }

    /// The outcomes of chance as tokens with exact integer weights; empty unless chance acts.
    #[getter]
    fn chance_outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.state.chance_outcomes())
    }

    /// Play an action or chance outcome.
    ///
    /// Args:
    ///     token: The token of a legal action or chance outcome.
    ///
    /// Returns:
    ///     The position after it. This state does not change.
    ///
    /// Raises:
    ///     IllegalAction: With the token, the reason and the position.
    ///
    /// >>> load("potlatch").start().play("Pe")
    /// Traceback (most recent call last):
    /// ...
    /// tavola.errors.IllegalAction: 'Pe' is illegal: ...
    fn play(&self, py: Python<'_>, token: &str) -> PyResult<Untracked<Self>> {
        self.next(py, token).map(Untracked)
    }

    /// Play several actions or chance outcomes.
    ///
    /// Args:
    ///     tokens: Tokens separated by white space.
    ///
    /// Returns:
    ///     The position after the last one.
    ///
    /// Raises:
    ///     IllegalAction: For the first illegal action.
    ///
    /// >>> load("potlatch").start().play_all("Pnw Pw").turn
    /// 2
    fn play_all(&self, py: Python<'_>, tokens: &str) -> PyResult<Untracked<Self>> {
        tokens.split_whitespace().try_fold(self.clone(), |state, token| state.next(py, token)).map(Untracked)
    }

    /// The outcome, or None before the end of the game.
    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.state.outcome()?;
        Some(Outcome { winners: Winners(outcome.winners.iter().collect()), reason: outcome.reason.to_owned() })
    }

    /// One number per seat, from -1 to 1 with sum 0; None before the end of the game.
    #[getter]
    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let seats = self.game.0.seats();
        self.state.outcome().map(|outcome| PyTuple::new(py, outcome.returns(seats))).transpose()
    }

    /// The position text, in the format of the game's rule book. `Game.parse` reads it.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        guarded(py, &self.game.0, || self.state.text())
    }

    /// A 64-bit hash. Equal states of one game have equal keys, on every machine.
    #[getter]
    fn key(&self, py: Python<'_>) -> PyResult<u64> {
        guarded(py, &self.game.0, || self.state.key())
    }

    /// The features of the game's evaluation: for each name one number per seat.
    ///
    /// It is empty after the end of the game, or without an evaluation.
    ///
    /// >>> load("potlatch").start().features["to_act"]
    /// (1.0, 0.0)
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (features, seats) = (PyDict::new(py), self.state.features());
        for (place, name) in self.game.0.features().iter().enumerate().filter(|_| !seats.is_empty()) {
            features.set_item(name, PyTuple::new(py, seats.iter().map(|values| values[place]))?)?;
        }
        Ok(features)
    }

    /// The expected share of the game of each seat, by the evaluation alone.
    ///
    /// The shares are from 0 to 1 and their sum is 1. They are the softmax of the weighted
    /// features, and equal for a game without an evaluation. After the end of the game they
    /// are the result of each seat.
    #[getter]
    fn estimate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, guarded(py, &self.game.0, || self.state.estimate())?)
    }

    /// The number of the current turn, 1 for the first.
    ///
    /// >>> load("potlatch").start().turn
    /// 1
    #[getter]
    fn turn(&self) -> u32 {
        self.state.turn()
    }

    /// Return the position as a seat or a spectator sees it, for drawing.
    ///
    /// Args:
    ///     viewer: A seat; None for a spectator.
    ///
    /// Returns:
    ///     A `View` as JSON.
    #[pyo3(signature = (viewer=None))]
    fn view_json(&self, py: Python<'_>, viewer: Option<u8>) -> PyResult<String> {
        guarded(py, &self.game.0, || json(&self.state.view(viewer)))
    }

    /// Return the same view as `view_json`, computed and serialized on demand.
    ///
    /// Args:
    ///     viewer: A seat; None for a spectator.
    #[pyo3(signature = (viewer=None))]
    fn lazy_view(&self, viewer: Option<u8>) -> Untracked<LazyView> {
        Untracked(LazyView::new(self.state.clone(), viewer))
    }

    /// Whether every seat and spectator sees the same position.
    #[getter]
    fn is_public(&self) -> bool {
        self.state.is_public()
    }

    /// Return the events of a legal action, for animation and the log.
    ///
    /// Args:
    ///     token: The token of the action.
    ///
    /// Returns:
    ///     A list of `Event` as JSON.
    ///
    /// Raises:
    ///     IllegalAction: If the action is not legal.
    fn events_json(&self, py: Python<'_>, token: &str) -> PyResult<String> {
        let events = guarded(py, &self.game.0, || self.state.events(token))?;
        events.map(|events| json(&events)).map_err(|error| errors::illegal(py, &self.game.0, &self.state, error))
    }

    /// Return the same events as `events_json`, computed and serialized on demand.
    ///
    /// Args:
    ///     token: The token of the action.
    fn lazy_events(&self, token: String) -> Untracked<LazyEvents> {
        Untracked(LazyEvents::new(self.game.0.clone(), self.state.clone(), token))
    }

    /// Explain why no legal action begins with these cells.
    ///
    /// Args:
    ///     touched: The selected cells in order.
    ///     turn: The rotation of the piece in hand, clockwise in degrees; None for any.
    ///
    /// Returns:
    ///     A `Refusal` as JSON; None if an action begins so.
    #[pyo3(signature = (touched, turn=None))]
    fn touch_refusal_json(&self, py: Python<'_>, touched: Vec<String>, turn: Option<u16>) -> PyResult<Option<String>> {
        let touched: Vec<SmolStr> = touched.iter().map(SmolStr::from).collect();
        let refusal = guarded(py, &self.game.0, || self.state.touch_refusal(&touched, turn))?;
        Ok(refusal.map(|refusal| json(&refusal)))
    }

    /// Return the consequences of a legal action, for a preview.
    ///
    /// Args:
    ///     token: The token of the action.
    ///
    /// Returns:
    ///     A `Prospect` as JSON.
    ///
    /// Raises:
    ///     IllegalAction: If the action is not legal.
    fn prospect_json(&self, py: Python<'_>, token: &str) -> PyResult<String> {
        let prospect = guarded(py, &self.game.0, || self.state.prospect(token))?;
        prospect.map(|prospect| json(&prospect)).map_err(|error| errors::illegal(py, &self.game.0, &self.state, error))
    }

    /// Draw the position as an SVG picture.
    ///
    /// Args:
    ///     colours: "light" or "dark"; "page" for the variables of the page.
    ///     rings: Cells to mark with a ring.
    ///     arrows: Pairs of cells to join with an arrow.
    ///     title: A description of the picture; the position text by default.
    ///
    /// Raises:
    ///     ValueError: For another value of `colours`.
    #[pyo3(signature = (*, colours="light", rings=None, arrows=None, title=None))]
    fn svg(
        &self,
        py: Python<'_>,
        colours: &str,
        rings: Option<Vec<String>>,
        arrows: Option<Vec<(String, String)>>,
        title: Option<String>,
    ) -> PyResult<String> {
        let colours = match colours {
            "light" => Colours::Light,
            "dark" => Colours::Dark,
            "page" => Colours::Page,
            other => {
                return Err(PyValueError::new_err(format!("colours are light, dark or page, not {other:?}")));
            }
        };
        let view = guarded(py, &self.game.0, || self.state.view(None))?;
        let title = title.unwrap_or_else(|| self.state.text());
        let info = self.game.0.info();
        let notes = Notes { rings: rings.unwrap_or_default(), arrows: arrows.unwrap_or_default(), title };
        Ok(tavola_core::svg::draw(&view, info.assets.symbols, &theme(info), colours, &notes))
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, "light", None, None, None)
    }

    fn __eq__(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        guarded(py, &self.game.0, || self.game.same(&other.game) && self.state.same(&other.state))
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.key(py)? ^ self.game.hash())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<State of {}: {}>", self.name(), self.text(py)?))
    }

    fn __str__(&self, py: Python<'_>) -> PyResult<String> {
        self.text(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (&'static str, Bound<'py, PyDict>, String)>> {
        let restore = py.import("tavola._core")?.getattr("_restore_state")?;
        Ok((restore, (self.name(), self.game.options(py)?, self.text(py)?)))
    }

    /// The question to the seat to act, or the result of the game, in English.
    #[getter]
    fn prompt(&self, py: Python<'_>) -> PyResult<String> {
        let view = guarded(py, &self.game.0, || self.state.view(None))?;
        Ok(self.game.0.info().english().format(&view.prompt))
    }
}
