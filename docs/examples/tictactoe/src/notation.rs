//! Actions as text (rules 6).

use tavola_core::{Notation, PositionError, SmolStr, format_smolstr};

use crate::actions::Action;
use crate::position::{format_position, parse_position};
use crate::rules::TicTacToe;
use crate::state::{SQUARES, State};

/// The name of a square: its column's letter and its row's number.
pub(crate) fn square_name(square: u8) -> SmolStr {
    format_smolstr!("{}{}", char::from(b'a' + square % 3), square / 3 + 1)
}

impl Notation for TicTacToe {
    fn token(&self, action: Action) -> SmolStr {
        square_name(action.0)
    }

    fn parse_token(&self, token: &str) -> Option<Action> {
        (0..SQUARES).find(|&square| square_name(square) == token).map(Action)
    }

    fn position(&self, state: &State) -> String {
        format_position(state)
    }

    fn parse_position(&self, text: &str) -> Result<State, PositionError> {
        parse_position(text)
    }
}
