//! Random games: an action is drawn from the set of legal ones without listing them.

use tavola_core::{Playout, Random};

use crate::rules::{Action, Potlatch};
use crate::state::State;

impl Playout for Potlatch {
    #[inline]
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        let mut left = state.legal;
        for _ in 0..random.below(left.count_ones()) {
            left &= left - 1;
        }
        Action::from_index(left.trailing_zeros() as u8)
    }
}
