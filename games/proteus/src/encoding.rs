//! The 217 actions as numbers.

use tavola_core::Encode;

use crate::actions::Action;
use crate::rules::Proteus;

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
}
