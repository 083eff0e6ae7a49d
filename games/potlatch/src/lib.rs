//! Potlatch Klone (Takashi Kato, radiuthree 2021): two pawns move over hexes and leave chips on their way.
//!
//! `rules/clauses.md` numbers the rules; the code cites its clauses (`rules 7`).

#![forbid(unsafe_code)]

mod actions;
mod encoding;
mod evaluation;
mod hex;
mod notation;
mod observation;
mod position;
mod rollout_policy;
mod rules;
mod sketch;
mod stacks;
mod state;
mod view;
mod weights;

pub use actions::{Action, ActionKind};
pub use hex::{DIRECTIONS, Hex};
pub use rules::Potlatch;
pub use state::State;
