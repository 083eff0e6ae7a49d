//! The rules, the numbers of actions and the texts of a Python game.

use tavola_core::{Actor, Encode, Game, Info, Notation, Outcome, PositionError, SmolStr};

use super::attach::attach;
use super::rules::{Action, PythonGame};
use super::state::PythonState;

impl Game for PythonGame {
    type State = PythonState;
    type Action = Action;

    fn info(&self) -> &'static Info {
        self.0.info
    }

    fn seats(&self) -> usize {
        self.0.seats
    }

    fn start(&self) -> PythonState {
        attach(|py| self.0.started(py))
    }

    fn to_act(&self, state: &PythonState) -> Actor {
        state.actor
    }

    fn legal_actions(&self, state: &PythonState, actions: &mut Vec<Action>) {
        actions.extend_from_slice(&state.legal_actions);
    }

    fn chance_outcomes(&self, state: &PythonState, outcomes: &mut Vec<(Action, u64)>) {
        outcomes.extend_from_slice(&state.chance_outcomes);
    }

    fn play_unchecked(&self, state: &mut PythonState, action: Action) {
        *state = attach(|py| self.0.played(py, state, action));
    }

    fn turn(&self, state: &PythonState) -> u32 {
        state.turn
    }

    fn outcome(&self, state: &PythonState) -> Option<Outcome> {
        state.outcome
    }

    fn key(&self, state: &PythonState) -> u64 {
        state.key()
    }

    fn key_from_scratch(&self, state: &PythonState) -> u64 {
        state.key()
    }
}

impl Encode for PythonGame {
    fn action_count(&self) -> usize {
        self.0.actions.len()
    }

    fn index(&self, action: Action) -> usize {
        action as usize
    }

    fn action(&self, index: usize) -> Option<Action> {
        (index < self.0.actions.len()).then_some(index as Action)
    }

    fn chance(&self, index: usize) -> Option<Action> {
        (index < self.0.chance.len()).then_some((self.0.actions.len() + index) as Action)
    }
}

impl Notation for PythonGame {
    fn token(&self, action: Action) -> SmolStr {
        self.0.token(action)
    }

    fn parse_token(&self, token: &str) -> Option<Action> {
        self.0.number(token)
    }

    fn position(&self, state: &PythonState) -> String {
        state.text().to_owned()
    }

    fn parse_position(&self, text: &str) -> Result<PythonState, PositionError> {
        attach(|py| self.0.parsed(py, text))
    }
}
