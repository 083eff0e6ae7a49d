//! Random games: an action is drawn without listing all.

use tavola_core::{Actor, Game, MOST_SEATS, Playout, Random};

use crate::actions::{Action, Deed, PILES};
use crate::evaluation;
use crate::ring::{self, STEPS};
use crate::rules::Passtally;
use crate::state::{Stage, State};
use crate::tiles::{Laid, Type, WAYS};

impl Playout for Passtally {
    #[inline]
    fn random_action(&self, state: &State, random: &mut Random) -> Action {
        Action::of(self.random_deed(state, random))
    }

    #[inline]
    fn random_outcome(&self, state: &State, random: &mut Random) -> Action {
        Action::draw(state.due.unwrap_or(0), random_type(state, random))
    }

    #[inline]
    fn play_randomly(&self, state: &mut State, random: &mut Random) {
        let deed = match (self.to_act(state), state.due) {
            (Actor::Seat(_), _) => self.random_deed(state, random),
            (Actor::Chance, Some(pile)) => Deed::Draw(pile, random_type(state, random)),
            _ => return,
        };
        self.play_deed(state, deed);
    }

    const FORESEES: bool = true;

    fn estimate(&self, state: &State) -> [f32; MOST_SEATS] {
        evaluation::shares(self, state)
    }
}

/// The type of a tile drawn from those that lie face down.
#[inline]
fn random_type(state: &State, random: &mut Random) -> Type {
    let mut copies = [0; 8];
    copies[..state.unseen.len()].copy_from_slice(&state.unseen);
    let sums = running(u64::from_le_bytes(copies));
    below(sums, random.below((sums >> 56) as u32)) as Type
}

impl Passtally {
    #[inline]
    fn random_deed(&self, state: &State, random: &mut Random) -> Deed {
        if matches!(state.stage, Stage::SetUp { .. }) {
            let places = self.set_places(state).into();
            return Deed::Set(nth(places, random.below(places.count_ones())));
        }
        // The tiles of each pile in all their ways, then the markers.
        let open = state.board.open();
        let own = u64::from(state.markers[state.seat as usize]);
        let ways = state.piles.map(|pile| pile.face.map_or(0, |kind| WAYS[kind as usize]));
        let tiles = ways.map(|ways| ways * open.count_ones());
        let before = [0, tiles[0], tiles[0] + tiles[1], tiles[0] + tiles[1] + tiles[2]];
        let draw = random.below(before[3] + own.count_ones() * STEPS);
        let pile = before[1..].iter().map(|&tiles| u8::from(draw >= tiles)).sum::<u8>();
        let number = draw - before[usize::from(pile)];
        if pile == PILES {
            let from = nth(own, number / STEPS);
            return Deed::Marker(from, ring::step(from, number % STEPS, state.taken()));
        }
        let kind = state.piles[usize::from(pile)].face.unwrap_or(0);
        let second = ways[usize::from(pile)] - 1;
        let pair = nth(open, number >> second);
        Deed::Tile(pile, Laid { kind, pair, flipped: number & second == 1 })
    }
}

/// One in every byte.
const ONES: u64 = 0x0101_0101_0101_0101;

/// From bytes their running sums, which must stay below 128.
#[inline]
const fn running(bytes: u64) -> u64 {
    bytes.wrapping_mul(ONES)
}

/// How many of eight bytes are not above a number; all must be below 128.
#[inline]
const fn below(bytes: u64, number: u32) -> u32 {
    const HIGH: u64 = 0x80 * ONES;
    (((number as u64 * ONES) | HIGH) - bytes & HIGH).count_ones()
}

/// The place of the bit that is set after `n` others.
#[inline]
fn nth(word: u64, n: u32) -> u8 {
    let pairs = word - (word >> 1 & 0x55 * ONES);
    let nibbles = (pairs & 0x33 * ONES) + (pairs >> 2 & 0x33 * ONES);
    let sums = running(nibbles + (nibbles >> 4) & 0x0F * ONES);
    let base = 8 * (below(sums, n) & 7);
    let before = (sums << 8 >> base) as u8;
    let byte = (word >> base) as u8;
    base as u8 + MEMBERS[usize::from(byte)][(n as u8).wrapping_sub(before) as usize & 7]
}

/// For every byte the places of its bits, lowest first.
static MEMBERS: [[u8; 8]; 256] = {
    let mut members = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut place, mut found) = (0, 0);
        while place < 8 {
            if byte >> place & 1 == 1 {
                members[byte][found] = place;
                found += 1;
            }
            place += 1;
        }
        byte += 1;
    }
    members
};

#[cfg(test)]
mod tests {
    #[test]
    fn bits_are_found_by_their_number() {
        for word in [0x8421_0000_F00F_0081u64, u64::MAX, 1, 1 << 63, (1 << 60) - 1] {
            let set: Vec<u8> = (0..64).filter(|place| word >> place & 1 == 1).collect();
            for (n, &place) in set.iter().enumerate() {
                assert_eq!(super::nth(word, n as u32), place, "{word:x}: {n}");
            }
        }
    }
}
