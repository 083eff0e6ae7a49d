//! Tic-tac-toe: three of one's own marks in a line. The smallest complete game, as an example.
//!
//! The rule book is `rules/en.md`; its clauses are cited by number (`rules 4`).

mod drawing;
mod encoding;
mod evaluation;
mod notation;
mod playout;
mod rules;

pub use rules::{Action, State, TicTacToe};
