//! The evaluation: none, because a search can play to the end.

use tavola_core::Evaluate;

use crate::rules::TicTacToe;

impl Evaluate for TicTacToe {}
