//! The tests of this crate's interface. One program: each would be linked with every game again.

mod network_file;
mod puct;
mod search;
mod signature;

use tavola_core::Actor;
use tavola_registry::{AnyGame, AnyState};

/// The first state of the game in which a seat acts.
fn first_decision(game: &AnyGame) -> AnyState {
    let mut state = game.start();
    while state.to_act() == Actor::Chance {
        let (outcome, _) = &state.chance_outcomes()[0];
        state = state.play(outcome).expect("outcomes are legal");
    }
    state
}
