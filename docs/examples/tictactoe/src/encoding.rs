//! The nine actions as numbers: the squares, row by row.

use tavola_core::Encode;

use crate::actions::Action;
use crate::rules::TicTacToe;
use crate::state::SQUARES;

impl Encode for TicTacToe {
    fn action_count(&self) -> usize {
        SQUARES.into()
    }

    fn index(&self, action: Action) -> usize {
        action.0.into()
    }

    fn action(&self, index: usize) -> Option<Action> {
        u8::try_from(index).ok().filter(|&square| square < SQUARES).map(Action)
    }
}
