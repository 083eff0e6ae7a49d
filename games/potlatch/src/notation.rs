//! Actions as text: `P` or `C` and a direction (rules 12).

use tavola_core::{Notation, PositionError, SmolStr, format_smolstr};

use crate::hex::DIRECTIONS;
use crate::position_text;
use crate::rules::{Action, Kind, Potlatch};
use crate::state::State;

impl Notation for Potlatch {
    fn token(&self, action: Action) -> SmolStr {
        let letter = match action.kind() {
            Kind::Chip => 'C',
            Kind::Walk => 'P',
        };
        format_smolstr!("{letter}{}", DIRECTIONS[action.direction()].0)
    }

    fn parse_token(&self, token: &str) -> Option<Action> {
        let (letter, name) = token.split_at_checked(1)?;
        let direction = DIRECTIONS.iter().position(|&(known, _)| known == name)?;
        match letter {
            "C" => Some(Action::new(Kind::Chip, direction)),
            "P" => Some(Action::new(Kind::Walk, direction)),
            _ => None,
        }
    }

    fn position(&self, state: &State) -> String {
        position_text::write(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        let mut state = position_text::read(self, text)?;
        self.judge(&mut state);
        Ok(state)
    }
}
