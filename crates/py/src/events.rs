//! The events of an action, on demand.

use std::sync::{Arc, OnceLock};

use pyo3::prelude::*;
use pyo3::types::PyBytes;
use tavola_registry::{AnyGame, AnyState};

use crate::errors;
use crate::precompute;
use crate::view::to_json;

/// The events of an action, computed and serialized on demand.
///
/// Its methods raise `IllegalAction` if the action is not legal.
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct LazyEvents(Arc<ActionEvents>);

/// An action, and its events once they are known; `None` if it is illegal.
struct ActionEvents {
    game: AnyGame,
    state: AnyState,
    token: String,
    events: OnceLock<Option<EventsJson>>,
}

/// The events, the first text among them, and the action in the list of moves, as JSON.
struct EventsJson {
    events: Vec<u8>,
    text: Option<Vec<u8>>,
    move_label: Option<Vec<u8>>,
}

impl LazyEvents {
    pub(crate) fn new(game: AnyGame, state: AnyState, token: String) -> Self {
        Self(Arc::new(ActionEvents { game, state, token, events: OnceLock::new() }))
    }
}

impl ActionEvents {
    fn events(&self) -> Option<&EventsJson> {
        let compute = || {
            let events = self.state.events(&self.token).ok()?;
            let text = events.iter().find_map(|event| event.text.as_ref()).map(to_json);
            let move_label = self.state.move_label(&self.token).ok()?.as_ref().map(to_json);
            Some(EventsJson { events: to_json(&events), text, move_label })
        };
        precompute::get_or_compute(&self.events, compute).as_ref()
    }

    fn events_or_raise(&self, py: Python<'_>) -> PyResult<&EventsJson> {
        self.events().ok_or_else(|| match self.state.events(&self.token) {
            Err(error) => errors::illegal(py, &self.game, &self.state, error),
            Ok(_) => unreachable!("the events follow from the position"),
        })
    }
}

#[pymethods]
impl LazyEvents {
    /// Compute the events on the background thread of the core.
    fn prepare(&self) {
        let request = Arc::clone(&self.0);
        precompute::spawn(move || {
            request.events();
        });
    }

    /// Return all events: a list of `Event` as JSON.
    fn events_json<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.0.events_or_raise(py).map(|json| PyBytes::new(py, &json.events))
    }

    /// Return the first text of the events as JSON; None if they have none.
    fn text_json<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.0.events_or_raise(py).map(|json| json.text.as_ref().map(|text| PyBytes::new(py, text)))
    }

    /// Return the `MoveLabel` of the action as JSON; None for the label of its view.
    fn move_json<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyBytes>>> {
        self.0.events_or_raise(py).map(|json| json.move_label.as_ref().map(|label| PyBytes::new(py, label)))
    }
}
