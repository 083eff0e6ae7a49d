//! States: immutable values.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::Serialize;
use tavola_core::svg::{Colours, Notes};
use tavola_core::{Actor, SmolStr};
use tavola_registry::AnyState;

use crate::deed::Deed;
use crate::errors;
use crate::game::{Game, Reduced, restore_game};
use crate::legal::LegalActions;
use crate::results::{Outcome, Winners};
use crate::sight::Sight;
use crate::text::{english, theme};
use crate::untracked::Untracked;

#[pyclass(frozen, module = "tavola._core")]
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) game: Game,
    pub(crate) state: AnyState,
}

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
        match self.state.play(token) {
            Ok(state) => Ok(Self { game: self.game.clone(), state }),
            Err(error) => Err(errors::illegal(py, &self.game.0, &self.state, error)),
        }
    }
}

#[pymethods]
impl State {
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    #[getter]
    fn to_act(&self) -> Option<i8> {
        match self.state.to_act() {
            Actor::Seat(seat) => Some(seat as i8),
            Actor::Chance => Some(-1),
            Actor::Terminal => None,
        }
    }

    #[getter]
    fn legal_actions(&self) -> LegalActions {
        LegalActions { game: self.game.0.clone(), indices: self.state.legal_actions() }
    }

    #[getter]
    fn chance_outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.state.chance_outcomes())
    }

    fn play(&self, py: Python<'_>, token: &str) -> PyResult<Untracked<Self>> {
        self.next(py, token).map(Untracked)
    }

    fn play_all(&self, py: Python<'_>, tokens: &str) -> PyResult<Untracked<Self>> {
        tokens.split_whitespace().try_fold(self.clone(), |state, token| state.next(py, token)).map(Untracked)
    }

    #[getter]
    fn outcome(&self) -> Option<Outcome> {
        let outcome = self.state.outcome()?;
        Some(Outcome { winners: Winners(outcome.winners.iter().collect()), reason: outcome.reason.to_owned() })
    }

    #[getter]
    fn returns<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyTuple>>> {
        let seats = self.game.0.seats();
        self.state.outcome().map(|outcome| PyTuple::new(py, outcome.returns(seats))).transpose()
    }

    #[getter]
    fn text(&self) -> String {
        self.state.text()
    }

    #[getter]
    fn key(&self) -> u64 {
        self.state.key()
    }

    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let (features, seats) = (PyDict::new(py), self.state.features());
        for (place, name) in self.game.0.features().iter().enumerate().filter(|_| !seats.is_empty()) {
            features.set_item(name, PyTuple::new(py, seats.iter().map(|values| values[place]))?)?;
        }
        Ok(features)
    }

    #[getter]
    fn estimate<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.state.estimate())
    }

    #[getter]
    fn turn(&self) -> u32 {
        self.state.turn()
    }

    #[pyo3(signature = (viewer=None))]
    fn view_json(&self, viewer: Option<u8>) -> String {
        json(&self.state.view(viewer))
    }

    #[pyo3(signature = (viewer=None))]
    fn sight(&self, viewer: Option<u8>) -> Untracked<Sight> {
        Untracked(Sight::new(self.state.clone(), viewer))
    }

    #[getter]
    fn hides_nothing(&self) -> bool {
        self.state.is_public()
    }

    fn events_json(&self, py: Python<'_>, token: &str) -> PyResult<String> {
        let events = self.state.events(token);
        events.map(|events| json(&events)).map_err(|error| errors::illegal(py, &self.game.0, &self.state, error))
    }

    fn deed(&self, token: String) -> Untracked<Deed> {
        Untracked(Deed::new(self.game.0.clone(), self.state.clone(), token))
    }

    #[pyo3(signature = (touched, turn=None))]
    fn touch_refusal_json(&self, touched: Vec<String>, turn: Option<u16>) -> Option<String> {
        self.state
            .touch_refusal(&touched.iter().map(SmolStr::from).collect::<Vec<_>>(), turn)
            .map(|refusal| json(&refusal))
    }

    fn prospect_json(&self, py: Python<'_>, token: &str) -> PyResult<String> {
        let prospect = self.state.prospect(token);
        prospect.map(|prospect| json(&prospect)).map_err(|error| errors::illegal(py, &self.game.0, &self.state, error))
    }

    #[pyo3(signature = (*, colours="light", rings=None, arrows=None, title=None))]
    fn svg(
        &self,
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
        let title = title.unwrap_or_else(|| self.state.text());
        let info = self.game.0.info();
        let notes = Notes { rings: rings.unwrap_or_default(), arrows: arrows.unwrap_or_default(), title };
        Ok(tavola_core::svg::draw(&self.state.view(None), info.assets.symbols, &theme(info), colours, &notes))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg("light", None, None, None)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game.same(&other.game) && self.state.same(&other.state)
    }

    fn __hash__(&self) -> u64 {
        self.state.key() ^ self.game.hash()
    }

    fn __repr__(&self) -> String {
        format!("<State of {}: {}>", self.name(), self.state.text())
    }

    fn __str__(&self) -> String {
        self.state.text()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (&'static str, Bound<'py, PyDict>, String)>> {
        let restore = py.import("tavola._core")?.getattr("_restore_state")?;
        Ok((restore, (self.name(), self.game.options(py)?, self.state.text())))
    }

    /// What is asked of the seat to act, in English: for people at a prompt.
    #[getter]
    fn prompt(&self) -> String {
        english(self.game.0.info()).format(&self.state.view(None).prompt)
    }
}
