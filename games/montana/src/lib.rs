//! Montana (Rüdiger Dorn, White Goblin Games 2017): hire, work, trade, settle; 2 to 4 seats.
//!
//! The rule book is `shared/rules/montana.md`; its clauses are cited by number (`rules 10`). Its figures are data, `montana.json`.

#![forbid(unsafe_code)]

mod actions;
mod bag;
mod build;
mod choices;
mod city;
mod data;
mod drawing;
mod encoding;
mod evaluation;
mod hands;
mod land;
mod lots;
mod notation;
mod pick;
mod pieces;
mod places;
mod playout;
mod position_faults;
mod position_text;
mod position_write;
mod refusals;
mod rules;
mod said;
mod sense;
mod state;
mod story;
mod supply;
mod table;
mod watch;
mod work;

pub use actions::Action;
pub use rules::Montana;
pub use state::State;
