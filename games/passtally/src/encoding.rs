//! The actions as numbers.

use tavola_core::Encode;

use crate::actions::{self, Action};
use crate::rules::Passtally;
use crate::state::State;

impl Encode for Passtally {
    fn action_count(&self) -> usize {
        actions::COUNT
    }

    fn index(&self, action: Action) -> usize {
        actions::index(action)
    }

    fn action(&self, index: usize) -> Option<Action> {
        actions::from_index(index)
    }

    #[inline]
    fn legal_set(&self, state: &State, words: &mut [u64]) {
        words.fill(0);
        self.insert_legal(state, words);
    }

    fn chance(&self, index: usize) -> Option<Action> {
        actions::reveal_from_index(index)
    }
}
