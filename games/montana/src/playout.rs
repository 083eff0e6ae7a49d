//! Random games: an action is drawn from the set of the legal ones, without a list. And games with a little sense.

use tavola_core::{Playout, Random};

use crate::actions::Action;
use crate::rules::Montana;
use crate::state::State;

impl Playout for Montana {
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        let actions = self.legal(state);
        actions.nth(random.below(actions.len()))
    }

    fn sensible_action(&self, state: &State, random: &mut Random) -> Action {
        self.sensible(state, random)
    }
}
