//! Random games: an action is drawn without listing all.

use tavola_core::{Playout, Random};

use crate::actions::Action;
use crate::board::{each, nth};
use crate::rules::Proteus;
use crate::state::State;

impl Playout for Proteus {
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        if state.count.is_some() { self.random_movement(state, random) } else { self.random_placement(state, random) }
    }
}

impl Proteus {
    fn random_movement(&self, state: &State, random: &mut Random) -> Action {
        let own = state.board.counters_of(state.seat);
        let moves: u32 = each(own).map(|from| Self::reach(state, from).count_ones()).sum();
        let mut draw = random.below(moves + 9);
        if draw < 9 {
            let (one, other) = self.trades(state)[draw as usize];
            return Action::trade(one, other);
        }
        draw -= 9;
        for from in each(own) {
            let reach = Self::reach(state, from);
            if draw < reach.count_ones() {
                return Action::walk(from, nth(reach, draw));
            }
            draw -= reach.count_ones();
        }
        unreachable!("the draw is below the number of moves")
    }

    fn random_placement(&self, state: &State, random: &mut Random) -> Action {
        let pool = state.board.pool();
        let bare = !state.board.tiled() & 0x1FF;
        let cells = [0, 1, 2].map(|shape| self.counter_cells(state, shape));
        let tiles = pool.count_ones() * bare.count_ones();
        let counters: u32 = cells.iter().map(|cells| cells.count_ones()).sum();
        if tiles + counters == 0 {
            return Action::PASS;
        }
        let mut draw = random.below(tiles + counters);
        if draw < tiles {
            return Action::tile(nth(pool, draw / bare.count_ones()), nth(bare, draw % bare.count_ones()));
        }
        draw -= tiles;
        for (shape, &cells) in (0..).zip(&cells) {
            if draw < cells.count_ones() {
                return Action::counter(shape, nth(cells, draw));
            }
            draw -= cells.count_ones();
        }
        unreachable!("the draw is below the number of placements")
    }
}
