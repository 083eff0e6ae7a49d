//! Potlatch Klone (Takashi Kato, radiuthree 2021): two pawns walk over hexes and leave a chip wherever they went.
//!
//! `rules/clauses.md` numbers the rules; the code cites its clauses (`rules 7`).

#![forbid(unsafe_code)]

mod drawing;
mod encoding;
mod evaluation;
mod hex;
mod notation;
mod playout;
mod position_text;
mod rules;
mod stacks;
mod state;

pub use hex::{DIRECTIONS, Hex};
pub use rules::{Action, Kind, Potlatch};
pub use state::State;
