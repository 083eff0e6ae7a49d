//! Random playouts that draw an action without a list of all.

use tavola_core::bitset::nth;
use tavola_core::{Actor, Game, Playout, Random};

use crate::actions::{Action, ActionKind, PILES};
use crate::rim::{self, STEPS};
use crate::rules::Passtally;
use crate::state::{Stage, State};
use crate::tiles::{Placement, TileType, WAYS};

impl Playout for Passtally {
    #[inline]
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        Action::new(self.random_kind(state, random))
    }

    #[inline]
    fn random_outcome(&self, state: &State, random: &mut Random) -> Action {
        Action::reveal(state.due.unwrap_or(0), random_type(state, random))
    }

    #[inline]
    fn play_random_action(&self, state: &mut State, random: &mut Random) {
        let kind = match (self.to_act(state), state.due) {
            (Actor::Seat(_), _) => self.random_kind(state, random),
            (Actor::Chance, Some(pile)) => ActionKind::Reveal(pile, random_type(state, random)),
            _ => return,
        };
        self.apply(state, kind);
    }
}

/// Draw a type from the face-down tiles.
#[inline]
fn random_type(state: &State, random: &mut Random) -> TileType {
    let mut copies = [0; 8];
    copies[..state.unseen.len()].copy_from_slice(&state.unseen);
    random.among(copies) as TileType
}

impl Passtally {
    #[inline]
    fn random_kind(&self, state: &State, random: &mut Random) -> ActionKind {
        if matches!(state.stage, Stage::SetUp { .. }) {
            let places = self.set_up_positions(state).into();
            return ActionKind::PlaceMarker(nth(places, random.below(places.count_ones())));
        }
        // The tiles of each pile in all placements, then the markers.
        let open = state.board.open();
        let own = u64::from(state.markers[state.seat as usize]);
        let ways = state.piles.map(|pile| pile.face.map_or(0, |tile_type| WAYS[tile_type as usize]));
        let tiles = ways.map(|ways| ways * open.count_ones());
        let before = [0, tiles[0], tiles[0] + tiles[1], tiles[0] + tiles[1] + tiles[2]];
        let draw = random.below(before[3] + own.count_ones() * STEPS);
        let pile = before[1..].iter().map(|&tiles| u8::from(draw >= tiles)).sum::<u8>();
        let number = draw - before[usize::from(pile)];
        if pile == PILES {
            let from = nth(own, number / STEPS);
            return ActionKind::MoveMarker(from, rim::step(from, number % STEPS, state.taken()));
        }
        let tile_type = state.piles[usize::from(pile)].face.unwrap_or(0);
        let second = ways[usize::from(pile)] - 1;
        let pair = nth(open, number >> second);
        ActionKind::PlaceTile(pile, Placement { tile_type, pair, reversed: number & second == 1 })
    }
}
