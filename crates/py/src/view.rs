//! A position as a viewer sees it, on demand.

use std::sync::{Arc, OnceLock, Weak};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tavola_core::patch::ViewPatch;
use tavola_core::view::ActionView;
use tavola_core::{Shared, View};
use tavola_registry::AnyState;

use crate::gc::Untracked;
use crate::precompute;

/// A view of a position, computed and serialized on demand.
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct LazyView {
    view: Arc<CachedView>,
    with_actions: bool,
}

/// A view that several viewers share.
struct CachedView {
    state: AnyState,
    viewer: Option<u8>,
    view: OnceLock<View>,
    patch: OnceLock<CachedPatch>,
}

/// The patch from the previous view, which all viewers share.
struct CachedPatch {
    before: Weak<CachedView>,
    patch: ViewPatch,
    /// The patch with actions, by whether the viewer saw actions before and sees them now.
    json: [OnceLock<Option<Vec<u8>>>; 4],
}

impl CachedView {
    fn view(&self) -> &View {
        precompute::get_or_compute(&self.view, || self.state.view(self.viewer))
    }

    /// The patch from another view; `None` if the cache holds the patch from a third one.
    fn patch(&self, before: &Arc<Self>) -> Option<&CachedPatch> {
        let patch = precompute::get_or_compute(&self.patch, || CachedPatch {
            before: Arc::downgrade(before),
            patch: ViewPatch::new(before.view(), self.view()),
            json: Default::default(),
        });
        (patch.before.as_ptr() == Arc::as_ptr(before)).then_some(patch)
    }
}

/// Frees a view on the background thread: a view is large.
impl Drop for CachedView {
    fn drop(&mut self) {
        if let Some(view) = self.view.take() {
            precompute::spawn(move || drop(view));
        }
    }
}

impl LazyView {
    pub(crate) fn new(state: AnyState, viewer: Option<u8>) -> Self {
        let (view, patch) = (OnceLock::new(), OnceLock::new());
        Self { view: Arc::new(CachedView { state, viewer, view, patch }), with_actions: true }
    }

    fn share(&self) -> Self {
        Self { view: Arc::clone(&self.view), with_actions: self.with_actions }
    }

    fn actions(&self) -> &[Shared<ActionView>] {
        if self.with_actions { &self.view.view().actions } else { &[] }
    }

    /// The cached patch from another view; `None` if there is none.
    fn cached_patch(&self, before: &Self) -> Option<&Option<Vec<u8>>> {
        let patch = self.view.patch(&before.view)?;
        let json = &patch.json[usize::from(before.with_actions) * 2 + usize::from(self.with_actions)];
        Some(precompute::get_or_compute(json, || patch.patch.with_actions(before.actions(), self.actions())))
    }
}

pub(crate) fn to_json(value: &impl serde::Serialize) -> Vec<u8> {
    serde_json::to_vec(value).expect("views are plain data")
}

#[pymethods]
impl LazyView {
    /// Return the same view for a viewer who is not to act: without actions.
    fn without_actions(&self) -> Untracked<Self> {
        Untracked(Self { view: Arc::clone(&self.view), with_actions: false })
    }

    /// Return the whole `View` as JSON.
    fn json<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.view.view().to_json(self.with_actions).as_bytes())
    }

    /// Compute `patch` on the background thread of the core.
    ///
    /// Args:
    ///     before: The view that the client has.
    fn prepare(&self, before: &Self) {
        let (before, after) = (before.share(), self.share());
        precompute::spawn(move || {
            after.cached_patch(&before);
        });
    }

    /// Return the patch from an earlier view.
    ///
    /// Args:
    ///     before: The view that the client has.
    ///
    /// Returns:
    ///     A patch as JSON (docs/reference/server-api.md); None if the views are equal.
    fn patch<'py>(&self, py: Python<'py>, before: &Self) -> Option<Bound<'py, PyBytes>> {
        let bytes = |json: &Vec<u8>| PyBytes::new(py, json);
        if let Some(json) = self.cached_patch(before) {
            return json.as_ref().map(bytes);
        }
        let patch = ViewPatch::new(before.view.view(), self.view.view());
        patch.with_actions(before.actions(), self.actions()).as_ref().map(bytes)
    }

    /// Return the label of a legal action as JSON; None for any other token.
    ///
    /// Args:
    ///     token: The token of the action.
    fn label_json<'py>(&self, py: Python<'py>, token: &str) -> Option<Bound<'py, PyBytes>> {
        let action = self.view.view().actions.iter().find(|action| action.token == token)?;
        Some(PyBytes::new(py, &to_json(&action.label)))
    }

    /// Return the outcome as JSON; None before the end of the game.
    fn outcome_json<'py>(&self, py: Python<'py>) -> Option<Bound<'py, PyBytes>> {
        self.view.view().outcome.as_ref().map(|outcome| PyBytes::new(py, &to_json(outcome)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.view, &other.view) && self.with_actions == other.with_actions
            || self.view.view().visible(self.with_actions) == other.view.view().visible(other.with_actions)
    }
}
