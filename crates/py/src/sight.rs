//! What somebody sees of a position: held as it is, and written only as far as it is told.

use std::sync::{Arc, OnceLock, Weak};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tavola_core::change::Changes;
use tavola_core::view::ActionView;
use tavola_core::{Part, View};

use crate::untracked::Untracked;

#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Sight {
    seen: Arc<Seen>,
    with_actions: bool,
}

/// A view that several people see.
struct Seen {
    view: View,
    /// What made it of the view before it, which is found once for all of them.
    changes: OnceLock<(Weak<Seen>, Changes)>,
}

impl Seen {
    fn changes(&self, before: &Arc<Self>) -> Option<&Changes> {
        let (known, changes) =
            self.changes.get_or_init(|| (Arc::downgrade(before), Changes::new(&before.view, &self.view)));
        (known.as_ptr() == Arc::as_ptr(before)).then_some(changes)
    }
}

impl Sight {
    pub(crate) fn new(view: View) -> Self {
        Self { seen: Arc::new(Seen { view, changes: OnceLock::new() }), with_actions: true }
    }

    fn actions(&self) -> &[Part<ActionView>] {
        if self.with_actions { &self.seen.view.actions } else { &[] }
    }
}

fn written<'py>(py: Python<'py>, value: &impl serde::Serialize) -> Bound<'py, PyBytes> {
    PyBytes::new(py, &serde_json::to_vec(value).expect("views are plain data"))
}

#[pymethods]
impl Sight {
    fn quiet(&self) -> Untracked<Self> {
        Untracked(Self { seen: Arc::clone(&self.seen), with_actions: false })
    }

    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        written(py, &self.seen.view.shown(self.with_actions))
    }

    fn changes<'py>(&self, py: Python<'py>, before: &Self) -> Option<Bound<'py, PyBytes>> {
        let changes = match self.seen.changes(&before.seen) {
            Some(changes) => changes,
            // Somebody comes from elsewhere.
            None => &Changes::new(&before.seen.view, &self.seen.view),
        };
        changes.with_actions(before.actions(), self.actions()).map(|json| PyBytes::new(py, &json))
    }

    fn label_json<'py>(&self, py: Python<'py>, token: &str) -> Option<Bound<'py, PyBytes>> {
        let action = self.seen.view.actions.iter().find(|action| action.token == token)?;
        Some(written(py, &action.label))
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.seen, &other.seen) && self.with_actions == other.with_actions
            || self.seen.view.shown(self.with_actions) == other.seen.view.shown(other.with_actions)
    }

    fn outcome_json<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.seen.view.outcome.as_ref().map(|outcome| written(py, outcome))
    }
}
