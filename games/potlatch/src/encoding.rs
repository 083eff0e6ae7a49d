//! The twelve actions as numbers, in the order of their tokens.

use tavola_core::Encode;

use crate::actions::Action;
use crate::rules::Potlatch;
use crate::state::State;

impl Encode for Potlatch {
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
        words[0] = state.legal.into();
    }
}
