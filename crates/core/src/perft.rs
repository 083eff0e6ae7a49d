//! perft: the number of action sequences, by which two implementations of the rules are compared.

use crate::cancel::CancelToken;
use crate::game::{Actor, Game};

/// Counts the sequences of exactly `depth` actions. A chance outcome counts once, whatever its weight.
///
/// A finished game has no continuations. Returns `None` if `stop` is cancelled.
pub fn perft<G: Game>(game: &G, state: &G::State, depth: u32, stop: &CancelToken) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut actions = Vec::new();
    next_actions(game, state, &mut actions);
    if depth == 1 {
        return Some(actions.len() as u64);
    }
    if stop.should_stop() {
        return None;
    }
    let mut count = 0;
    for action in actions {
        let mut next = state.clone();
        game.play_unchecked(&mut next, action);
        count += perft(game, &next, depth - 1, stop)?;
    }
    Some(count)
}

/// Appends the legal actions of a seat, or the outcomes of chance.
pub fn next_actions<G: Game>(game: &G, state: &G::State, actions: &mut Vec<G::Action>) {
    if game.to_act(state) == Actor::Chance {
        let mut outcomes = Vec::new();
        game.chance_outcomes(state, &mut outcomes);
        actions.extend(outcomes.into_iter().map(|(outcome, _)| outcome));
    } else {
        game.legal_actions(state, actions);
    }
}
