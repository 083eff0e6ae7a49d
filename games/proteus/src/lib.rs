//! Proteus (Michael Waitsman, Kadon 1982): a 3x3 board whose nine tiles carry the rules of the game itself.
//!
//! `rules/clauses.md` numbers the rules. The code cites its clauses (`rules 7`).

#![forbid(unsafe_code)]

mod actions;
mod board;
mod completion;
mod encoding;
pub mod endgame;
mod evaluation;
pub mod frozen;
mod goals;
pub mod index;
mod lookahead;
mod missing;
mod notation;
mod observation;
mod pieces;
pub mod placement;
mod placement_key;
mod position;
mod preset;
mod repetition;
mod rollout_policy;
mod rules;
mod sketch;
pub mod solution;
mod solved;
mod state;
mod view;
mod weights;

pub use actions::Action;
pub use rules::Proteus;
pub use state::State;
