//! A fixed numbering of a game's actions, for learning.

use crate::game::Game;

/// Actions as numbers from 0 to [`Encode::action_count`] - 1, the same in every position.
///
/// The numbering is a bijection with the actions of seats (chance outcomes have none) and agrees with
/// the order of [`Game::Action`].
pub trait Encode: Game {
    /// The number of distinct actions of seats.
    fn action_count(&self) -> usize;

    /// The number of an action.
    fn index(&self, action: Self::Action) -> usize;

    /// The action with a number, or `None` from [`Encode::action_count`] on.
    fn action(&self, index: usize) -> Option<Self::Action>;
}

/// The legal actions, one flag per number.
pub fn mask<G: Encode>(game: &G, state: &G::State) -> Vec<bool> {
    let mut mask = vec![false; game.action_count()];
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    for action in actions {
        mask[game.index(action)] = true;
    }
    mask
}
