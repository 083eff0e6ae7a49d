//! Games: by name, under options.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tavola_registry::AnyGame;

use crate::errors;
use crate::state::State;
use crate::untracked::Untracked;

/// What pickle keeps of a value: a function, and its arguments.
pub(crate) type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

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

#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, tavola_registry::games().iter().map(|info| info.name))
}

#[pyfunction]
#[pyo3(signature = (name, /, **options))]
pub(crate) fn load(py: Python<'_>, name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
    let mut given: Vec<(String, String)> = Vec::new();
    for (option, value) in options.into_iter().flatten() {
        // Values are words or numbers; their text is what they are called.
        given.push((option.extract()?, value.str()?.extract()?));
    }
    let given = given.iter().map(|(option, value)| (option.as_str(), value.as_str()));
    tavola_registry::load(name, given).map(Game).map_err(|error| errors::load(py, error))
}

#[pyfunction]
#[pyo3(name = "_restore_game")]
pub(crate) fn restore_game(py: Python<'_>, name: &str, options: &Bound<'_, PyDict>) -> PyResult<Game> {
    load(py, name, Some(options))
}

#[pymethods]
impl Game {
    #[getter]
    fn name(&self) -> &'static str {
        self.0.info().name
    }

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

    #[getter]
    fn seats(&self) -> usize {
        self.0.seats()
    }

    #[getter]
    fn rules_version(&self) -> u32 {
        self.0.options().rules_version()
    }

    #[getter]
    fn has_chance(&self) -> bool {
        self.0.info().has_chance
    }

    #[getter]
    fn action_count(&self) -> usize {
        self.0.action_count()
    }

    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let weights = PyDict::new(py);
        for (name, weight) in self.0.features().iter().zip(self.0.weights()) {
            // The number that is written in the file, and not the nearest of 32 bits.
            weights.set_item(name, weight.to_string().parse::<f64>()?)?;
        }
        Ok(weights)
    }

    fn start(&self) -> Untracked<State> {
        Untracked(State { game: self.clone(), state: self.0.start() })
    }

    pub(crate) fn parse(&self, py: Python<'_>, text: &str) -> PyResult<Untracked<State>> {
        let state = self.0.parse(text).map_err(|error| errors::position(py, &self.0, text, &error))?;
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
