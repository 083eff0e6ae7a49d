//! Random games: nothing to do better than the contract does by itself.

use tavola_core::Playout;

use crate::rules::TicTacToe;

impl Playout for TicTacToe {}
