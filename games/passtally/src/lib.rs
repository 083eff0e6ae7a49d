//! Passtally (Masaki Suga, 2018): dominoes of printed lines, storey upon storey, for two or three seats.
//!
//! `rules/clauses.md` numbers the rules; the code cites its clauses (`rules 10`).

#![forbid(unsafe_code)]

mod actions;
mod board;
mod cells;
mod drawing;
mod encoding;
mod evaluation;
mod faults;
mod lines;
mod notation;
mod pieces;
mod playout;
mod position_text;
mod refusals;
mod ring;
mod rules;
mod score;
mod state;
mod story;
mod tiles;
mod wires;

pub use actions::Action;
pub use rules::Passtally;
pub use state::State;
