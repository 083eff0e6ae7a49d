//! The contract of a Tavola game, and everything that a game gets for implementing it.
//!
//! A game implements seven small traits, each in a file of its own:
//!
//! | trait | file | content |
//! |---|---|---|
//! | [`Game`] | `game.rs` | the rules: who acts, which actions are legal, what an action does, how the game ends |
//! | [`Notation`] | `notation.rs` | actions and positions as text, both ways |
//! | [`Encode`] | `encode.rs` | a fixed numbering of the actions, for learning |
//! | [`Observe`] | `observe.rs` | a position as planes of numbers, for learning |
//! | [`Draw`] | `draw.rs` | a position as data for drawing, events, prompts, refusals |
//! | [`Playout`] | `playout.rs` | random play and the rollout policy |
//! | [`Evaluate`] | `evaluation/` | the value of a position for each seat |
//!
//! This crate derives the rest once: checked play, returns, [`perft`], playouts, a game being played ([`matches`]),
//! [`record`]s, messages in every language ([`locale`]) and pictures ([`svg`]). It knows no game.

#![forbid(unsafe_code)]

pub mod bitset;
pub mod cancel;
pub mod clock;
pub mod draw;
pub mod encode;
pub mod evaluation;
pub mod game;
pub mod info;
pub mod interned;
pub mod locale;
pub mod matches;
pub mod notation;
pub mod observe;
pub mod patch;
pub mod perft;
pub mod playout;
pub mod quote;
pub mod random;
pub mod record;
pub mod sketch;
pub mod svg;
pub mod text;
pub mod vector_env;
pub mod view;
mod visible_view;

pub use cancel::CancelToken;
pub use clock::Instant;
pub use draw::Draw;
pub use encode::{Encode, mask};
pub use evaluation::weights::{Weights, WeightsError};
pub use evaluation::{Evaluate, Features, MAX_FEATURES, PerfectResult, Solving, features, solved_actions, weighted};
pub use game::{Actor, Compiled, Game, GameExt, Illegal, MAX_SEATS, Outcome, Seat, SeatSet};
pub use info::{Assets, Info, OptionError, OptionSpec, Options};
pub use interned::{Interner, Shared};
pub use notation::{Notation, PositionError};
pub use observe::{Observe, Plane, Symmetry};
pub use perft::perft;
pub use playout::{Playout, Playouts, playouts};
pub use random::Random;
pub use sketch::{Sketch, SketchView, Sketched};
pub use smol_str::{SmolStr, ToSmolStr, format_smolstr};
pub use text::Text;
pub use vector_env::{Arrays, IllegalId, Observations, Parallel, Serial, VectorEnv};
pub use view::{Event, MoveLabel, Prospect, Refusal, View};

/// A game with all traits that the registry requires.
pub trait Complete: Notation + Observe + Draw + Playout + Evaluate {}

impl<G: Notation + Observe + Draw + Playout + Evaluate> Complete for G {}
