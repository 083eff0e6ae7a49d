//! Random games, and games with a little sense.

use tavola_core::{Playout, Random};

use crate::actions::Action;
use crate::rules::Montana;
use crate::state::State;
use crate::watch::Unwatched;

impl Playout for Montana {
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        let deed = self.pick(state, |count| Some(random.below(count)));
        self.tables.action(deed.expect("a seat that acts has legal actions"))
    }

    fn random_outcome(&self, state: &State, random: &mut Random) -> Action {
        self.tables.action(self.chance(state, random).expect("where chance acts it has outcomes"))
    }

    fn play_random_action(&self, state: &mut State, random: &mut Random) {
        self.play_out(state, 1, random);
    }

    // Apart from whatever calls it, so that what is in line here does not depend on that.
    #[inline(never)]
    fn play_out(&self, state: &mut State, most: u32, random: &mut Random) -> u32 {
        let mut actions = 0;
        loop {
            let chance = if actions < most { self.chance(state, random) } else { None };
            actions += u32::from(chance.is_some());
            let deed = chance.or_else(|| {
                self.pick(state, |count| match count {
                    // What there is no choice about is no action, but a part of the one before (rules 53).
                    1 => Some(0),
                    _ if actions == most => None,
                    _ => {
                        actions += 1;
                        Some(random.below(count))
                    }
                })
            });
            let Some(deed) = deed else { return actions };
            self.perform(state, deed, &mut Unwatched);
        }
    }

    fn rollout_action(&self, state: &State, random: &mut Random) -> Action {
        self.sensible(state, random)
    }
}
