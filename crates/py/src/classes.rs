//! The classes of games and states. Their methods are in `game.rs` and `state.rs`.

use pyo3::prelude::*;
use tavola_registry::{AnyGame, AnyState};

/// The result of `__reduce__`: a function and its arguments.
pub(crate) type Reduced<'py, Arguments> = (Bound<'py, PyAny>, Arguments);

/// A game with its options: immutable, hashable, comparable, picklable.
///
/// >>> game = load("potlatch", actions=3)
/// >>> game.name, game.seats, game.options["actions"]
/// ('potlatch', 2, 3)
#[pyclass(frozen, module = "tavola._core")]
#[derive(Clone)]
pub(crate) struct Game(pub(crate) AnyGame);

/// A position: immutable, hashable, comparable, picklable. A notebook shows its picture.
///
/// Two states are equal if their games are equal and the rules cannot distinguish them.
///
/// >>> state = load("potlatch").start()
/// >>> state.to_act, len(state.legal_actions)
/// (0, 5)
#[pyclass(frozen, module = "tavola._core")]
#[derive(Clone)]
pub(crate) struct State {
    pub(crate) game: Game,
    pub(crate) state: AnyState,
}
