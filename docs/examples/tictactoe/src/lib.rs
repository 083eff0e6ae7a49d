//! Tic-tac-toe: three marks in a line. The smallest complete game, as an example.
//!
//! `rules/clauses.md` numbers the rules; the code cites its clauses (`rules 4`).

mod actions;
mod encoding;
mod evaluation;
mod notation;
mod observation;
mod position;
mod rollout_policy;
mod rules;
mod state;
mod view;

pub use actions::Action;
pub use rules::TicTacToe;
pub use state::State;
