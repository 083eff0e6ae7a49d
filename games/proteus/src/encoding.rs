//! The 217 actions as numbers.

use tavola_core::Encode;

use crate::actions::Action;
use crate::rules::Proteus;
use crate::state::State;

impl Encode for Proteus {
    fn action_count(&self) -> usize {
        Action::COUNT.into()
    }

    fn index(&self, action: Action) -> usize {
        action.index().into()
    }

    fn action(&self, index: usize) -> Option<Action> {
        u8::try_from(index).ok().filter(|&index| index < Action::COUNT).map(Action::from_index)
    }

    #[inline]
    fn legal_set(&self, state: &State, words: &mut [u64]) {
        words.fill(0);
        self.insert_legal(state, words);
    }
}
