//! Passtally (Masaki Suga, 2018): dominoes of printed lines, level upon level, for two or three seats.
//!
//! `rules/clauses.md` numbers the rules; the code cites its clauses (`rules 10`).

#![forbid(unsafe_code)]

mod actions;
mod board;
mod cells;
mod encoding;
mod evaluation;
mod line_table;
mod lines;
mod notation;
mod observation;
mod points;
mod position;
mod rim;
mod rollout_policy;
mod rules;
mod sketch;
mod state;
mod tiles;
mod view;
mod weights;

pub use actions::Action;
pub use rules::Passtally;
pub use state::State;
