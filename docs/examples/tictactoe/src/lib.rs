//! Tic-tac-toe: three of one's own marks in a line. The smallest complete game, as an example.
//!
//! `rules/clauses.md` numbers the rules; the code cites its clauses (`rules 4`).

mod drawing;
mod encoding;
mod evaluation;
mod notation;
mod playout;
mod rules;

pub use rules::{Action, State, TicTacToe};
