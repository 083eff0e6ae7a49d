//! What somebody sees of a position: held as it is, and written only as far as it is told.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tavola_core::View;
use tavola_core::change::changes;

#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Sight {
    view: Arc<View>,
    with_actions: bool,
}

impl Sight {
    pub(crate) fn new(view: View) -> Self {
        Self { view: Arc::new(view), with_actions: true }
    }
}

fn written<'py>(py: Python<'py>, value: &impl serde::Serialize) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &serde_json::to_vec(value).expect("views are plain data"))
}

#[pymethods]
impl Sight {
    fn quiet(&self) -> Self {
        Self { view: Arc::clone(&self.view), with_actions: false }
    }

    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        written(py, &self.view.shown(self.with_actions))
    }

    fn changes<'py>(&self, py: Python<'py>, before: &Self) -> Option<Bound<'py, PyBytes>> {
        let (before, after) = (before.view.shown(before.with_actions), self.view.shown(self.with_actions));
        changes(&before, &after).map(|json| PyBytes::new(py, &json))
    }

    fn label_json<'py>(&self, py: Python<'py>, token: &str) -> Option<Bound<'py, PyBytes>> {
        let action = self.view.actions.iter().find(|action| action.token == token)?;
        Some(written(py, &action.label))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.view.shown(self.with_actions) == other.view.shown(other.with_actions)
    }

    fn outcome_json<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.view.outcome.as_ref().map(|outcome| written(py, outcome))
    }
}
