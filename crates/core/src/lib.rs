//! The contract of a Tavola game, and everything a game gets for fulfilling it.
//!
//! A game implements six small traits, each in a file of its own:
//!
//! | trait | file | what it gives |
//! |---|---|---|
//! | [`Game`] | `game.rs` | the rules: who acts, what is legal, what an action does, how it ends |
//! | [`Notation`] | `notation.rs` | actions and positions as text, both ways |
//! | [`Encode`] | `encode.rs` | a fixed numbering of the actions, for learning |
//! | [`Draw`] | `view.rs` | a position as data for drawing, events, prompts, refusals |
//! | [`Playout`] | `playout.rs` | how random and sensible games are continued |
//! | [`Evaluate`] | `evaluate.rs` | what a position is worth to each seat |
//!
//! What follows from them is derived once, here: checked play, returns, [`perft`], playouts,
//! [`record`]s, words in every language ([`words`]) and pictures ([`svg`]). This crate knows no game.

#![forbid(unsafe_code)]

pub mod bits;
pub mod change;
pub mod encode;
pub mod evaluate;
pub mod game;
pub mod info;
pub mod notation;
pub mod part;
pub mod perft;
pub mod playout;
pub mod quote;
pub mod random;
pub mod record;
pub mod regression;
pub mod stock;
pub mod stop;
pub mod svg;
pub mod text;
pub mod view;
pub mod weights;
pub mod words;

pub use encode::{Encode, mask};
pub use evaluate::{Evaluate, Features, MOST_FEATURES, features, weighted};
pub use game::{Actor, Derived, Game, Illegal, MOST_SEATS, Outcome, Seat, SeatSet};
pub use info::{Assets, Info, OptionError, OptionSpec, Options};
pub use notation::{Notation, PositionError};
pub use part::Part;
pub use perft::perft;
pub use playout::{Playout, Playouts, playouts};
pub use random::Random;
pub use smol_str::{SmolStr, ToSmolStr, format_smolstr};
pub use stock::Stock;
pub use stop::Stop;
pub use text::Text;
pub use view::{Draw, Event, Prospect, Refusal, View};
pub use weights::{Weights, WeightsError};

/// A game with all that the registry asks for.
pub trait Complete: Notation + Encode + Draw + Playout + Evaluate {}

impl<G: Notation + Encode + Draw + Playout + Evaluate> Complete for G {}
