//! Random playouts and the rollout policy. They draw an action from a set without a list.

use tavola_core::{Playout, Random};

use crate::actions::{Action, actions_to};
use crate::rules::Potlatch;
use crate::stacks::{NEUTRAL_THREE, TileSet};
use crate::state::State;

/// For every set of six bits, the numbers of the set bits, lowest first.
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

/// All chip moves, and all pawn moves, as bits (rules 12).
const CHIP_MOVES: u16 = 0b11_1111;
const PAWN_MOVES: u16 = CHIP_MOVES << 6;

/// Draw one action of a set, each with the same probability.
#[inline]
fn draw(actions: u16, random: &mut Random) -> Action {
    let drawn = random.below(actions.count_ones());
    let chips = (actions & CHIP_MOVES).count_ones();
    Action::from_index(if drawn < chips {
        PLACES[(actions & CHIP_MOVES) as usize][drawn as usize]
    } else {
        6 + PLACES[(actions >> 6) as usize][(drawn - chips) as usize]
    })
}

impl Playout for Potlatch {
    #[inline]
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        draw(state.legal, random)
    }

    /// Completes an own stack by a pawn move if it can, and prefers pawn moves while it stands on an own stack.
    ///
    /// Random games mostly end with a blocked pawn and rarely with three stacks. With this policy, half of them end
    /// with three stacks. `benches/README.md` has the effect on strength.
    #[inline]
    fn rollout_action(&self, state: &State, random: &mut Random) -> Action {
        let ripe = state.legal & actions_to(state, TileSet::EMPTY, state.stacks.ripe());
        if ripe != 0 {
            return draw(ripe, random);
        }
        let own_stack = NEUTRAL_THREE + 1 + state.seat();
        let walks = state.legal & PAWN_MOVES;
        if walks != 0 && state.increased().code(state.pawn()) == own_stack {
            return draw(walks, random);
        }
        draw(state.legal, random)
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Actor, Compiled, Game, Options};

    use super::*;
    use crate::state::Reason;

    /// Play games to the end by `choose` and return how many ended with three stacks.
    fn won_by_stacks(actions: &str, choose: impl Fn(&Potlatch, &State, &mut Random) -> Action) -> usize {
        let options = Options::new(Potlatch::INFO, [("actions", actions)]).expect("valid options");
        let game = Potlatch::new(&options);
        let mut random = Random::new(7);
        let mut won = 0;
        for _ in 0..1000 {
            let mut state = game.start();
            while game.to_act(&state) != Actor::Terminal {
                let action = choose(&game, &state, &mut random);
                assert_eq!(state.legal >> action.index() & 1, 1, "{state:?}");
                game.play_unchecked(&mut state, action);
            }
            won += usize::from(state.end.is_some_and(|end| end.reason == Reason::Stacks));
        }
        won
    }

    #[test]
    fn sensible_games_are_won_and_not_only_lost() {
        for actions in ["2", "3"] {
            assert!(won_by_stacks(actions, Potlatch::random_action) < 150);
            assert!(won_by_stacks(actions, Potlatch::rollout_action) > 300);
        }
    }

    #[test]
    fn every_action_of_a_set_is_drawn_equally_often() {
        let mut random = Random::new(7);
        for set in [0b1u16, 0b1000_0001_0010, 0b1111_1111_1111] {
            let mut drawn = [0u32; 12];
            for _ in 0..12_000 {
                drawn[draw(set, &mut random).index() as usize] += 1;
            }
            let expected = 12_000 / set.count_ones();
            for (index, &count) in drawn.iter().enumerate() {
                let wanted = if set >> index & 1 == 1 { expected } else { 0 };
                assert!(count.abs_diff(wanted) * 6 <= wanted, "{set:b}: {drawn:?}");
            }
        }
    }
}
