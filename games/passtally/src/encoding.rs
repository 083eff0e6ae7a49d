//! The actions as numbers.

use tavola_core::Encode;

use crate::actions::{self, Action};
use crate::rules::Passtally;

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

    fn chance(&self, index: usize) -> Option<Action> {
        actions::reveal_from_index(index)
    }
}
