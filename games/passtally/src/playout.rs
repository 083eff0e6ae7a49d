//! Random games.

use tavola_core::{Playout, Random};

use crate::actions::Action;
use crate::ring;
use crate::rules::{Choices, Passtally};
use crate::state::{Stage, State};

impl Playout for Passtally {
    #[inline]
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        if matches!(state.stage, Stage::SetUp { .. }) {
            let places = self.set_places(state);
            let number = random.below(places.count_ones()) as usize;
            return Action::set(ring::each(places).nth(number).unwrap_or(0));
        }
        let choices = Choices::of(state);
        choices.get(state, random.below(choices.count()))
    }

    #[inline]
    fn random_outcome(&self, state: &State, random: &mut Random) -> Action {
        let unseen = state.unseen.iter().map(|&copies| u32::from(copies)).sum();
        Action::draw(state.due.unwrap_or(0), Self::unseen_at(state, random.below(unseen)))
    }
}
