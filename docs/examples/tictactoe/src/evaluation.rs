//! What a position is worth: nothing that a search would not see by playing on.

use tavola_core::Evaluate;

use crate::rules::TicTacToe;

impl Evaluate for TicTacToe {}
