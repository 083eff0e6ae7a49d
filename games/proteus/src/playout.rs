//! Random games: an action is drawn without listing all.

use tavola_core::{Playout, Random};

use crate::actions::Action;
use crate::board::nth;
use crate::rules::Proteus;
use crate::state::State;

impl Playout for Proteus {
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        if state.count.is_some() { self.random_movement(state, random) } else { self.random_placement(state, random) }
    }
}

impl Proteus {
    fn random_movement(&self, state: &State, random: &mut Random) -> Action {
        let own = [0, 1, 2].map(|shape| state.board.counter_cell(3 * state.seat + shape));
        let reaches = own.map(|from| Self::reach(state, from));
        let moves: u32 = reaches.iter().map(|reach| reach.count_ones()).sum();
        let mut draw = random.below(moves + 9);
        if draw < 9 {
            let (one, other) = Self::trade(state, self.trade_rule(state), draw as u8);
            return Action::trade(one, other);
        }
        draw -= 9;
        for (from, reach) in own.into_iter().zip(reaches) {
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
        let open = self.open_tiles(state);
        let tiles = pool.count_ones() * bare.count_ones();
        let counters: u32 = open.iter().map(|tiles| tiles.count_ones()).sum();
        if tiles + counters == 0 {
            return Action::PASS;
        }
        let mut draw = random.below(tiles + counters);
        if draw < tiles {
            let (tile, cell) = (draw / bare.count_ones(), draw % bare.count_ones());
            return Action::tile(nth(pool, tile), nth(bare, cell));
        }
        draw -= tiles;
        for (shape, tiles) in (0..).zip(open) {
            if draw < tiles.count_ones() {
                let cell = state.board.cell_of(nth(tiles, draw)).expect("an open tile lies on the board");
                return Action::counter(shape, cell);
            }
            draw -= tiles.count_ones();
        }
        unreachable!("the draw is below the number of placements")
    }
}
