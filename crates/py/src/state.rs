//! States: immutable values.

use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use tavola_core::svg::Notes;
use tavola_core::{Actor, SmolStr};
use tavola_registry::{AnyState, IllegalAction};

use crate::actions::id_of;
use crate::arguments::{Int, Token, seat_of};
use crate::arrays::{self, DataType};
use crate::chance;
use crate::classes::{Game, Reduced, State};
use crate::errors;
use crate::events::LazyEvents;
use crate::gc::Untracked;
use crate::legal_actions::LegalActions;
use crate::observation;
use crate::picture;
use crate::python_game::guarded;
use crate::results::Outcome;
use crate::view::LazyView;

fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("views are plain data")
}

impl State {
    fn name(&self) -> &'static str {
        self.game.0.info().name
    }

    /// Asks the rules.
    fn ask<T>(&self, py: Python<'_>, question: impl FnOnce(&AnyState) -> T) -> PyResult<T> {
        guarded(py, &self.game.0, || question(&self.state))
    }

    /// Asks the rules about an action, which must be legal.
    pub(crate) fn ask_legal<T>(
        &self,
        py: Python<'_>,
        question: impl FnOnce(&AnyState) -> Result<T, IllegalAction>,
    ) -> PyResult<T> {
        self.ask(py, question)?.map_err(|error| errors::illegal(py, &self.game.0, &self.state, error))
    }

    fn next(&self, py: Python<'_>, token: &str) -> PyResult<Self> {
        let state = self.ask_legal(py, |state| state.play(token))?;
        Ok(Self { game: self.game.clone(), state })
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
        self.state.to_act().number()
    }

    /// The legal actions of the seat to act, in the order of their numbers.
    ///
    /// Empty for chance and after the end of the game.
    #[getter]
    fn legal_actions(&self) -> LegalActions {
        LegalActions { game: self.game.0.clone(), indices: self.state.legal_actions() }
    }

    /// The ids of the legal actions, ascending: a NumPy array of int32 with shape (n,).
    ///
    /// Empty for chance and after the end of the game. `Game.actions` has the tokens.
    ///
    /// >>> load("potlatch").start().legal_ids
    /// array([ 7,  8,  9, 10, 11], dtype=int32)
    #[getter]
    fn legal_ids<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let mut ids = Vec::new();
        self.state.legal_ids(&mut ids);
        PyArray1::from_slice(py, &ids)
    }

    /// Return which actions are legal, one flag for each id.
    ///
    /// Args:
    ///     out: An array to fill in place of a new one: bool, uint8 or int8, of the same
    ///         shape, C-contiguous.
    ///
    /// Returns:
    ///     `out`, or a new NumPy array of bool with shape (action_count,). No flag is set for
    ///     chance and after the end of the game.
    ///
    /// Raises:
    ///     TypeError: If `out` is not a NumPy array.
    ///     ValueError: If `out` has another shape or data type.
    ///
    /// >>> load("potlatch").start().mask().sum()
    /// np.int64(5)
    #[pyo3(signature = (out=None))]
    fn mask<'py>(&self, py: Python<'py>, out: Option<Bound<'py, PyAny>>) -> PyResult<Bound<'py, PyAny>> {
        let count = self.game.0.action_count();
        let Some(out) = out else {
            return Ok(arrays::flags(py, count, |mask| self.state.mask(mask)));
        };
        let (array, _) = arrays::check(&out, &[DataType::Bool, DataType::UInt8, DataType::Int8], &[count])?;
        // SAFETY: the array is checked; each of its types takes bytes 0 and 1.
        unsafe { arrays::fill(array, |mask| self.state.mask(mask)) };
        Ok(out)
    }

    /// Return the position as numbers, as a seat sees it.
    ///
    /// `Game.observation_space` describes them.
    ///
    /// Args:
    ///     seat: A seat; None for the seat to act, or seat 0 if none acts.
    ///     layout: "planes" for an array of planes, rows and columns; "flat" for one dimension.
    ///     dtype: `numpy.float32` for values from 0 to 1, `numpy.uint8` for whole numbers from
    ///         0 to the plane's `high`. None for that of `out`, or else float32.
    ///     out: An array to fill in place of a new one.
    ///
    /// Returns:
    ///     `out`, or a new NumPy array with `Game.observation_space.shape(layout)`.
    ///
    /// Raises:
    ///     ValueError: If there is no such seat or layout, or `out` has another shape or data
    ///         type.
    ///     TypeError: If `dtype` is another type, or `out` is not a NumPy array.
    ///
    /// >>> load("potlatch").start().observation().shape
    /// (18, 10, 10)
    #[pyo3(signature = (seat=None, layout="planes", dtype=None, out=None))]
    fn observation<'py>(
        &self,
        py: Python<'py>,
        seat: Option<Int>,
        layout: &str,
        dtype: Option<&Bound<'py, PyAny>>,
        out: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let layout = observation::layout(layout)?;
        let seat = seat_of(&self.game, seat)?.unwrap_or_else(|| self.state.to_act().seat().unwrap_or(0));
        let game = &self.game.0;
        guarded(py, game, || observation::observation(py, game, &self.state, seat, layout, dtype, out))?
    }

    /// Play the action with an id.
    ///
    /// Args:
    ///     action_id: The id of a legal action, as in `legal_ids`.
    ///
    /// Returns:
    ///     The position after it. This state does not change.
    ///
    /// Raises:
    ///     IllegalAction: With the token, the reason and the position.
    ///     IndexError: If no action has this id.
    ///
    /// >>> game = load("potlatch")
    /// >>> game.start().play_id(7) == game.start().play(game.actions[7])
    /// True
    fn play_id(&self, py: Python<'_>, action_id: &Bound<'_, PyAny>) -> PyResult<Untracked<Self>> {
        let number = id_of(&self.game.0, action_id)?;
        let state = self.ask_legal(py, |state| state.play_id(number))?;
        Ok(Untracked(Self { game: self.game.clone(), state }))
    }

    /// Draw an outcome of chance, in exact proportion to the weights.
    ///
    /// Args:
    ///     rng: The random generator, a `numpy.random.Generator` or a `random.Random`.
    ///
    /// Returns:
    ///     The token of the outcome, for `play`.
    ///
    /// Raises:
    ///     ValueError: If chance does not act.
    ///     TypeError: If `rng` is not a random generator.
    ///
    /// >>> import random
    /// >>> load("potlatch").start().sample_chance(random.Random(7))
    /// Traceback (most recent call last):
    /// ...
    /// ValueError: chance does not act here; ...
    fn sample_chance(&self, rng: &Bound<'_, PyAny>) -> PyResult<String> {
        chance::sample(&self.state, rng)
    }

    /// Whether the game is over.
    ///
    /// >>> load("potlatch").start().is_terminal
    /// False
    #[getter]
    fn is_terminal(&self) -> bool {
        self.state.to_act() == Actor::Terminal
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
    fn play(&self, py: Python<'_>, token: Token<'_>) -> PyResult<Untracked<Self>> {
        self.next(py, token.0).map(Untracked)
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
        self.state.outcome().as_ref().map(Outcome::of)
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
        self.ask(py, |state| state.text())
    }

    /// A 64-bit hash. Equal states of one game have equal keys, on every machine.
    #[getter]
    fn key(&self, py: Python<'_>) -> PyResult<u64> {
        self.ask(py, |state| state.key())
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
        PyTuple::new(py, self.ask(py, |state| state.estimate())?)
    }

    /// The number of the current turn, 1 for the first.
    ///
    /// >>> load("potlatch").start().turn
    /// 1
    #[getter]
    fn turn(&self) -> u32 {
        self.state.turn()
    }

    /// Return the `View` of a seat, or of a spectator if None, as JSON.
    #[pyo3(signature = (viewer=None))]
    fn view_json(&self, py: Python<'_>, viewer: Option<Int>) -> PyResult<String> {
        let viewer = seat_of(&self.game, viewer)?;
        self.ask(py, |state| state.view(viewer).to_json(true))
    }

    /// Return the same view as `view_json`, computed and serialized on demand.
    #[pyo3(signature = (viewer=None))]
    fn lazy_view(&self, viewer: Option<Int>) -> PyResult<Untracked<LazyView>> {
        Ok(Untracked(LazyView::new(self.state.clone(), seat_of(&self.game, viewer)?)))
    }

    /// Whether every seat and spectator sees the same position.
    #[getter]
    fn is_public(&self) -> bool {
        self.state.is_public()
    }

    /// Return the events of a legal action, a list of `Event` as JSON.
    ///
    /// Raises:
    ///     IllegalAction: If the action is not legal.
    fn events_json(&self, py: Python<'_>, token: &str) -> PyResult<String> {
        self.ask_legal(py, |state| state.events(token)).map(|events| json(&events))
    }

    /// Return the same events as `events_json`, computed and serialized on demand.
    fn lazy_events(&self, token: String) -> Untracked<LazyEvents> {
        Untracked(LazyEvents::new(self.game.0.clone(), self.state.clone(), token))
    }

    /// Return why no legal action begins with these cells and this rotation, as JSON.
    ///
    /// It is a `Refusal`, or None if an action begins so.
    #[pyo3(signature = (touched, turn=None))]
    fn touch_refusal_json(&self, py: Python<'_>, touched: Vec<String>, turn: Option<u16>) -> PyResult<Option<String>> {
        let touched: Vec<SmolStr> = touched.iter().map(SmolStr::from).collect();
        let refusal = self.ask(py, |state| state.touch_refusal(&touched, turn))?;
        Ok(refusal.map(|refusal| json(&refusal)))
    }

    /// Return the `Prospect` of a legal action, its consequences, as JSON.
    ///
    /// Raises:
    ///     IllegalAction: If the action is not legal.
    fn prospect_json(&self, py: Python<'_>, token: &str) -> PyResult<String> {
        self.ask_legal(py, |state| state.prospect(token)).map(|prospect| json(&prospect))
    }

    /// Draw the position as an SVG picture.
    ///
    /// Args:
    ///     colours: "light" or "dark"; "page" for the variables of the page.
    ///     rings: Cells to mark with a ring.
    ///     arrows: Pairs of cells to join with an arrow.
    ///     title: A description of the picture; the position text by default.
    ///     language: The language of the names on the board; None leaves them out.
    ///
    /// Raises:
    ///     ValueError: For another value of `colours`, or an unknown language.
    #[pyo3(signature = (*, colours="light", rings=None, arrows=None, title=None, language=None))]
    fn svg(
        &self,
        py: Python<'_>,
        colours: &str,
        rings: Option<Vec<String>>,
        arrows: Option<Vec<(String, String)>>,
        title: Option<String>,
        language: Option<&str>,
    ) -> PyResult<String> {
        let view = self.ask(py, |state| state.view(None))?;
        let title = title.unwrap_or_else(|| self.state.text());
        let notes =
            Notes { rings: rings.unwrap_or_default(), arrows: arrows.unwrap_or_default(), title, ..Notes::default() };
        picture::board(self.game.0.info(), &view, colours, language, notes)
    }

    /// Draw the position with its turn, scores and cards.
    ///
    /// Args:
    ///     seat: The seat that sees it; None for a spectator.
    ///     language: Its code, such as "en".
    ///     width: The width in pixels.
    ///     rings: Cells to mark with a ring.
    ///     arrows: Pairs of cells to join with an arrow.
    ///     played: States before the last actions, each with the token. The picture marks what
    ///         they did.
    ///
    /// Returns:
    ///     A `Picture`. It shows itself in a notebook, and `save` writes SVG or PNG.
    ///
    /// Raises:
    ///     ValueError: If there is no such seat or language, or the width is out of range.
    ///     IllegalAction: If an action of `played` is not legal in its state.
    ///
    /// >>> load("potlatch").start().picture(seat=0)
    /// <Picture of potlatch, turn 1>
    #[pyo3(
        signature = (seat=None, **options),
        text_signature = "($self, seat=None, *, language='en', width=720, rings=None, arrows=None, played=None)"
    )]
    fn picture<'py>(
        slf: Bound<'py, Self>,
        seat: Option<Bound<'py, PyAny>>,
        options: Option<Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let options = options.unwrap_or_else(|| PyDict::new(slf.py()));
        options.set_item("seat", seat)?;
        picture::new_picture(slf, &options)
    }

    /// Draw the picture of `picture` as SVG.
    ///
    /// The parameters are those of `picture`. `colours` is "light" or "dark"; "both" for light and
    /// dark pages; "page" for the variables of the page.
    ///
    /// Raises:
    ///     ValueError: For another value.
    ///     IllegalAction: If one of the actions is not legal in its state.
    #[pyo3(signature = (viewer, *, language="en", colours="light", width=720, rings=None, arrows=None, played=None))]
    #[expect(clippy::too_many_arguments)]
    fn picture_svg(
        &self,
        py: Python<'_>,
        viewer: Option<Int>,
        language: &str,
        colours: &str,
        width: u32,
        rings: Option<Vec<String>>,
        arrows: Option<Vec<(String, String)>>,
        played: Option<Vec<(PyRef<'_, Self>, String)>>,
    ) -> PyResult<String> {
        let viewer = seat_of(&self.game, viewer)?;
        let (rings, arrows) = (rings.unwrap_or_default(), arrows.unwrap_or_default());
        let mut notes = Notes { rings, arrows, ..Notes::default() };
        for (before, token) in played.unwrap_or_default() {
            notes.add_events(&before.ask_legal(py, |state| state.events(&token))?);
        }
        let view = self.ask(py, |state| state.view(viewer))?;
        picture::svg(self.game.0.info(), view, viewer, language, colours, width, notes)
    }

    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.picture_svg(py, None, "en", "light", 720, None, None, None)
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        let options = PyDict::new(slf.py());
        picture::new_picture(slf, &options)?.call_method0("_repr_html_")
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

    // A state is immutable, so a copy is the state itself.
    fn __copy__(slf: Py<Self>) -> Py<Self> {
        slf
    }

    fn __deepcopy__(slf: Py<Self>, _memo: &Bound<'_, PyAny>) -> Py<Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (&'static str, Bound<'py, PyDict>, String)>> {
        let restore = py.import("tavola._core")?.getattr("_restore_state")?;
        Ok((restore, (self.name(), self.game.options(py)?, self.text(py)?)))
    }

    /// The question to the seat to act, or the result of the game, in English.
    #[getter]
    fn prompt(&self, py: Python<'_>) -> PyResult<String> {
        let view = self.ask(py, |state| state.view(None))?;
        Ok(self.game.0.info().english().format(&view.prompt))
    }
}
