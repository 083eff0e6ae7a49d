//! Montana (Rüdiger Dorn, White Goblin Games 2017) for 2 to 4 seats.
//!
//! The rules are `rules/clauses.md`. Comments cite its clauses as `rules 10`. The figures are in `montana.json`.

#![forbid(unsafe_code)]

mod actions;
mod components;
mod crews;
mod encoding;
mod evaluation;
mod game;
mod map;
mod multiset;
mod notation;
mod nth_action;
mod observation;
mod observer;
mod position;
mod prices;
mod rollout_policy;
mod rules;
mod sketch;
mod state;
mod view;

pub use actions::Action;
pub use game::Montana;
pub use state::State;
