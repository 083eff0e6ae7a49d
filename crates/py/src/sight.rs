//! What somebody sees of a position: held as it is, and written only as far as it is told.

use std::sync::{Arc, OnceLock, Weak};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tavola_core::diff::ViewDiff;
use tavola_core::view::ActionView;
use tavola_core::{Shared, View};
use tavola_registry::AnyState;

use crate::ahead;
use crate::untracked::Untracked;

#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Sight {
    seen: Arc<Seen>,
    with_actions: bool,
}

/// A view that several people see; made when it is first wanted.
struct Seen {
    state: AnyState,
    viewer: Option<u8>,
    view: OnceLock<View>,
    changes: OnceLock<Since>,
}

/// What made it of the view before it, which is found once for all of them.
struct Since {
    before: Weak<Seen>,
    changes: ViewDiff,
    /// The same with the actions, by who was to choose one before, and is now.
    told: [OnceLock<Option<Vec<u8>>>; 4],
}

impl Seen {
    fn view(&self) -> &View {
        ahead::known(&self.view, || self.state.view(self.viewer))
    }

    /// What changes from one view to another; `None` if what is known here is how it came of yet another.
    fn since(&self, before: &Arc<Self>) -> Option<&Since> {
        let since = ahead::known(&self.changes, || Since {
            before: Arc::downgrade(before),
            changes: ViewDiff::new(before.view(), self.view()),
            told: Default::default(),
        });
        (since.before.as_ptr() == Arc::as_ptr(before)).then_some(since)
    }
}

/// Views are large, and nobody waits for their memory.
impl Drop for Seen {
    fn drop(&mut self) {
        if let Some(view) = self.view.take() {
            ahead::begin(move || drop(view));
        }
    }
}

impl Sight {
    pub(crate) fn new(state: AnyState, viewer: Option<u8>) -> Self {
        let (view, changes) = (OnceLock::new(), OnceLock::new());
        Self { seen: Arc::new(Seen { state, viewer, view, changes }), with_actions: true }
    }

    fn again(&self) -> Self {
        Self { seen: Arc::clone(&self.seen), with_actions: self.with_actions }
    }

    fn actions(&self) -> &[Shared<ActionView>] {
        if self.with_actions { &self.seen.view().actions } else { &[] }
    }

    /// What changes, if it is known here.
    fn told(&self, before: &Self) -> Option<&Option<Vec<u8>>> {
        let since = self.seen.since(&before.seen)?;
        let told = &since.told[usize::from(before.with_actions) * 2 + usize::from(self.with_actions)];
        Some(ahead::known(told, || since.changes.with_actions(before.actions(), self.actions())))
    }
}

pub(crate) fn written(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("views are plain data")
}

#[pymethods]
impl Sight {
    fn quiet(&self) -> Untracked<Self> {
        Untracked(Self { seen: Arc::clone(&self.seen), with_actions: false })
    }

    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &written(&self.seen.view().visible(self.with_actions)))
    }

    fn prepare(&self, before: &Self) {
        let (before, after) = (before.again(), self.again());
        ahead::begin(move || {
            after.told(&before);
        });
    }

    fn changes<'py>(&self, py: Python<'py>, before: &Self) -> Option<Bound<'py, PyBytes>> {
        let json = |json: &Vec<u8>| PyBytes::new(py, json);
        if let Some(told) = self.told(before) {
            return told.as_ref().map(json);
        }
        // Somebody comes from elsewhere.
        let changes = ViewDiff::new(before.seen.view(), self.seen.view());
        changes.with_actions(before.actions(), self.actions()).as_ref().map(json)
    }

    fn label_json<'py>(&self, py: Python<'py>, token: &str) -> Option<Bound<'py, PyBytes>> {
        let action = self.seen.view().actions.iter().find(|action| action.token == token)?;
        Some(PyBytes::new(py, &written(&action.label)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.seen, &other.seen) && self.with_actions == other.with_actions
            || self.seen.view().visible(self.with_actions) == other.seen.view().visible(other.with_actions)
    }

    fn outcome_json<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.seen.view().outcome.as_ref().map(|outcome| PyBytes::new(py, &written(outcome)))
    }
}
