//! The view, the events and the refusals of a Python game.

use pyo3::intern;
use pyo3::prelude::*;
use tavola_core::{Draw, Event, Outcome, Refusal, Seat, SmolStr, Text, View};

use super::attach::attach;
use super::broken::Broken;
use super::events;
use super::rules::{Action, PythonGame};
use super::state::PythonState;

impl PythonGame {
    /// The reason that the rules give for an illegal action, if they give one.
    fn explained(&self, py: Python<'_>, state: &PythonState, token: &str) -> Option<Text> {
        let explain = state.object.bind(py).getattr_opt(intern!(py, "explain")).ok()??;
        let reason: Option<String> = match explain.call1((token,)).and_then(|value| value.extract()) {
            Ok(reason) => reason,
            Err(error) => {
                let part = format!("`explain({token:?})`");
                let broken = Broken::raised(py, &part, error);
                self.0.failures.add(broken.what, state.text().to_owned(), broken.cause);
                None
            }
        };
        reason.map(|reason| self.0.label(&reason))
    }
}

fn refused(text: Text) -> Refusal {
    Refusal { text, clause: SmolStr::default() }
}

impl Draw for PythonGame {
    fn view(&self, state: &PythonState, _viewer: Option<Seat>) -> View {
        attach(|py| self.shown(py, state))
    }

    fn is_public(&self, _state: &PythonState) -> bool {
        true
    }

    fn events(&self, state: &PythonState, action: Action) -> Vec<Event> {
        attach(|py| {
            let after = self.0.played(py, state, action);
            let (before, view) = (self.shown(py, state), self.shown(py, &after));
            events::between(self, &before, &view, action)
        })
    }

    fn refusal(&self, state: &PythonState, action: Action) -> Option<Refusal> {
        if state.outcome.is_some() {
            return Some(refused(Text::new("illegal.over")));
        }
        let token = self.0.token(action);
        let explained = attach(|py| self.explained(py, state, &token));
        Some(refused(explained.unwrap_or_else(|| Text::new("illegal.here"))))
    }

    fn touch_refusal(&self, state: &PythonState, touched: &[SmolStr], _turn: Option<u16>) -> Option<Refusal> {
        let begins = |action: &Action| self.0.actions[*action as usize].touches.starts_with(touched);
        if state.legal_actions.iter().any(begins) {
            return None;
        }
        if state.outcome.is_some() {
            return Some(refused(Text::new("illegal.over")));
        }
        // The reason of the action that these cells would be, if there is one.
        let whole = self.0.actions.iter().find(|action| action.touches == touched);
        let explained = whole.and_then(|action| attach(|py| self.explained(py, state, &action.token)));
        Some(refused(explained.unwrap_or_else(|| Text::new("illegal.cell"))))
    }

    fn outcome_text(&self, _state: &PythonState, outcome: &Outcome) -> Text {
        self.0.outcome_text(outcome)
    }
}
