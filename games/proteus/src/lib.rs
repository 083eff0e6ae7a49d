//! Proteus (Michael Waitsman, Kadon 1982): a 3x3 board whose nine tiles carry the rules of the game itself.
//!
//! `rules/clauses.md` numbers the rules. The code cites its clauses (`rules 7`).

#![forbid(unsafe_code)]

mod actions;
mod board;
mod cards;
mod completion;
mod drawing;
mod encoding;
mod evaluation;
mod foresight;
pub mod frozen;
mod goals;
pub mod index;
mod notation;
mod past;
mod pieces;
mod playout;
mod position_text;
mod refusals;
mod rules;
mod state;
mod story;

pub use actions::Action;
pub use rules::Proteus;
pub use state::State;
