//! Actions as text: `P` or `C` and a direction (rules 12).

use tavola_core::{Notation, PositionError, SmolStr, format_smolstr};

use crate::actions::{Action, ActionKind};
use crate::hex::DIRECTIONS;
use crate::position;
use crate::rules::Potlatch;
use crate::state::State;

impl Notation for Potlatch {
    fn token(&self, action: Action) -> SmolStr {
        let letter = match action.kind() {
            ActionKind::ChipMove => 'C',
            ActionKind::PawnMove => 'P',
        };
        format_smolstr!("{letter}{}", DIRECTIONS[action.direction()].0)
    }

    fn parse_token(&self, token: &str) -> Option<Action> {
        let (letter, name) = token.split_at_checked(1)?;
        let direction = DIRECTIONS.iter().position(|&(known, _)| known == name)?;
        match letter {
            "C" => Some(Action::new(ActionKind::ChipMove, direction)),
            "P" => Some(Action::new(ActionKind::PawnMove, direction)),
            _ => None,
        }
    }

    fn position(&self, state: &State) -> String {
        position::format_position(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut state = position::parse_position(self, text)?;
        self.judge(&mut state);
        Ok(state)
    }
}
