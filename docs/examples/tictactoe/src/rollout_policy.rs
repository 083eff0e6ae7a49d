//! The rollout policy: uniformly random, the default of the contract.

use tavola_core::Playout;

use crate::rules::TicTacToe;

impl Playout for TicTacToe {}
