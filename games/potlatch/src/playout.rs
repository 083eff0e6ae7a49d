//! Random games: an action is drawn from the set of legal ones without listing them.

use tavola_core::{Playout, Random};

use crate::rules::{Action, Potlatch};
use crate::state::State;

/// For every set of six bits, the places of those that are set, lowest first.
static PLACES: [[u8; 6]; 64] = {
    let mut places = [[0; 6]; 64];
    let mut set = 0;
    while set < 64 {
        let (mut place, mut count) = (0, 0);
        while place < 6 {
            if set >> place & 1 == 1 {
                places[set][count] = place;
                count += 1;
            }
            place += 1;
        }
        set += 1;
    }
    places
};

impl Playout for Potlatch {
    #[inline]
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        let (chips, walks) = ((state.legal & 63) as usize, (state.legal >> 6) as usize);
        let count = (chips.count_ones(), walks.count_ones());
        let drawn = random.below(count.0 + count.1);
        if drawn < count.0 {
            Action::from_index(PLACES[chips][drawn as usize])
        } else {
            Action::from_index(6 + PLACES[walks][(drawn - count.0) as usize])
        }
    }
}
