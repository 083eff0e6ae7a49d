//! A fixed numbering of a game's actions, for learning.

use crate::game::Game;

/// Actions as numbers from 0 to [`Encode::action_count`] - 1, the same in every position.
///
/// The numbering is a bijection with the actions of seats and agrees with the order of [`Game::Action`]. Chance outcomes
/// have numbers of their own, from 0 on.
pub trait Encode: Game {
    /// The number of distinct actions of seats.
    fn action_count(&self) -> usize;

    /// The number of an action.
    fn index(&self, action: Self::Action) -> usize;

    /// The action with a number, or `None` from [`Encode::action_count`] on.
    fn action(&self, index: usize) -> Option<Self::Action>;

    /// Sets the bit of every legal action and clears all others: bit `n % 64` of word `n / 64` for action n.
    ///
    /// A game overrides this if it can do so without a list.
    fn legal_set(&self, state: &Self::State, words: &mut [u64]) {
        words.fill(0);
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        for action in actions {
            let index = self.index(action);
            words[index / 64] |= 1 << (index % 64);
        }
    }

    /// The chance outcome with a number, in the order of [`Game::Action`], or `None` beyond the last. A game with chance
    /// lists every outcome that any of its positions can have.
    fn chance(&self, _index: usize) -> Option<Self::Action> {
        None
    }
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
