//! Random playouts (an action is drawn without listing all) and the rollout policy.

use tavola_core::{Playout, Random};

use crate::actions::{Action, ActionKind};
use crate::board::{Cell, Cells, REACH};
use crate::rules::Proteus;
use crate::state::{FULL, SET, State};

/// For each set of nine its members, four bits each, lowest first.
static MEMBERS: [u64; 512] = {
    let mut members = [0; 512];
    let mut set = 0;
    while set < 512u64 {
        let (mut member, mut place) = (0, 0);
        while member < 9 {
            if set >> member & 1 == 1 {
                members[set as usize] |= member << (4 * place);
                place += 1;
            }
            member += 1;
        }
        set += 1;
    }
    members
};

/// The member in a place of a set, counted from 0 at the lowest.
#[inline]
fn nth(set: u16, place: u32) -> u8 {
    (MEMBERS[usize::from(set & FULL as u16)] >> (4 * place) & 15) as u8
}

impl Playout for Proteus {
    #[inline]
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        Action::of(self.random_kind(state, random))
    }

    /// A winning action if there is one, else a random action.
    #[inline]
    fn rollout_action(&self, state: &State, random: &mut Random) -> Action {
        self.winning_action(state).unwrap_or_else(|| self.random_action(state, random))
    }

    #[inline]
    fn winning_action(&self, state: &State) -> Option<Action> {
        let can_win = state.end.is_none() && state.count.is_some_and(|count| self.can_win(count + 1));
        can_win.then(|| self.find_win(&state.board, state.seat)).flatten().map(Action::of)
    }

    #[inline]
    fn play_random_action(&self, state: &mut State, random: &mut Random) {
        let kind = self.random_kind(state, random);
        self.play_kind(state, kind);
    }
}

impl Proteus {
    #[inline]
    fn random_kind(&self, state: &State, random: &mut Random) -> ActionKind {
        if state.count.is_some() { self.random_movement(state, random) } else { self.random_placement(state, random) }
    }

    #[inline]
    fn random_movement(&self, state: &State, random: &mut Random) -> ActionKind {
        let board = &state.board;
        if self.lacks_colour(board) {
            let kinds = self.actions_while_missing(board, state.seat);
            return kinds[random.below(kinds.len() as u32) as usize];
        }
        let free = !board.occupied();
        let reach = &REACH[usize::from(board.ups() & 7)];
        let own = board.counters >> (3 * SET * u32::from(state.seat));
        let own = [0, 1, 2].map(|shape| (own >> (SET * shape) & FULL).trailing_zeros() as Cell);
        let [first, second, third] = own.map(|from| reach[usize::from(from & 15)] & free);
        let moves = [first, second, third].map(Cells::count_ones);
        let draw = random.below(moves[0] + moves[1] + moves[2] + 9);
        if draw < 9 {
            let (one, other) = Self::trade(board, self.trade_rule(board), draw as u8);
            return ActionKind::Trade(one, other);
        }
        let mut place = draw - 9;
        let (mut from, mut to) = (own[0], first);
        if place >= moves[0] {
            (from, to, place) = (own[1], second, place - moves[0]);
            if place >= moves[1] {
                (from, to, place) = (own[2], third, place - moves[1]);
            }
        }
        ActionKind::Move(from, nth(to, place))
    }

    #[inline]
    fn random_placement(&self, state: &State, random: &mut Random) -> ActionKind {
        let (pool, open) = (state.board.pool(), self.open_tiles(state));
        let due = self.due_tiles(state, open);
        // As many tiles as bare cells.
        let (bare, open) = if due == 0 { (pool.count_ones(), open) } else { (0, due) };
        let tiles = bare * bare;
        let choices = tiles + open.count_ones();
        if choices == 0 {
            return ActionKind::Pass;
        }
        let draw = random.below(choices);
        if draw < tiles {
            let (tile, cell) = (draw / bare, draw % bare);
            return ActionKind::Tile(nth(pool, tile), nth(!state.board.tiled(), cell));
        }
        let mut place = draw - tiles;
        let (mut shape, mut open) = (0, open);
        while place >= (open & FULL).count_ones() {
            place -= (open & FULL).count_ones();
            (shape, open) = (shape + 1, open >> SET);
        }
        let tile = nth(open as u16, place);
        let cell = state.board.coloured(tile / 3) & state.board.shaped(tile % 3);
        ActionKind::Counter(shape, cell.trailing_zeros() as Cell)
    }
}
