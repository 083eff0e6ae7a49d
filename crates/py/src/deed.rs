//! What an action did, found out when it is told or just before.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tavola_registry::{AnyGame, AnyState};

use crate::ahead;
use crate::errors;
use crate::sight::written;

#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Deed(Arc<Doing>);

/// An action, and what it does once that is known; `None`: it is not legal.
struct Doing {
    game: AnyGame,
    state: AnyState,
    token: String,
    done: OnceLock<Option<Done>>,
}

/// As JSON, what happens and the first text of it.
struct Done {
    events: Vec<u8>,
    text: Option<Vec<u8>>,
}

impl Deed {
    pub(crate) fn new(game: AnyGame, state: AnyState, token: String) -> Self {
        Self(Arc::new(Doing { game, state, token, done: OnceLock::new() }))
    }
}

impl Doing {
    fn done(&self) -> Option<&Done> {
        let find = || {
            let events = self.state.events(&self.token).ok()?;
            let text = events.iter().find_map(|event| event.text.as_ref()).map(written);
            Some(Done { events: written(&events), text })
        };
        ahead::known(&self.done, find).as_ref()
    }

    fn told(&self, py: Python<'_>) -> PyResult<&Done> {
        self.done().ok_or_else(|| match self.state.events(&self.token) {
            Err(error) => errors::illegal(py, &self.game, &self.state, error),
            Ok(_) => unreachable!("what an action does follows from the position"),
        })
    }
}

#[pymethods]
impl Deed {
    fn prepare(&self) {
        let doing = Arc::clone(&self.0);
        ahead::begin(move || {
            doing.done();
        });
    }

    fn events_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.told(py).map(|done| PyBytes::new(py, &done.events))
    }

    fn text_json<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.0.told(py).map(|done| done.text.as_ref().map(|text| PyBytes::new(py, text)))
    }
}
