//! The position: map, settlements, player boards, work board, and the pending decision.

use tavola_core::Seat;
use tavola_core::random::mix;

use crate::crews::Crew;
use crate::map::{CostIndex, Hex, HexSet, NO_HEX, SlotTile};
use crate::multiset::{Goods, Workers};
use crate::prices::{CitySpace, Space};

/// The most seats, and the most slots of a map.
pub(crate) const SEATS: usize = 4;
pub(crate) const SLOTS: usize = 10;

/// The stage: the pending decision (rules 50, 52).
// An explicit tag is faster to read than a niche. Random games read it three times an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub(crate) enum Stage {
    /// Chance draws a tile for the first empty slot.
    Tile,
    /// Chance rotates the tile drawn last.
    Rot,
    /// Chance draws the start hex.
    Start,
    /// Chance spins the wheel.
    Spin,
    /// A seat chooses the colours of the white workers of these segments.
    Hire(u8, Option<u8>),
    Main,
    /// A seat pays grain at the segment spun.
    Shift(u8),
    /// A seat may place a second crew on this production space.
    Extra(Space),
    /// A seat may build again. The number of sites built in this turn.
    Build(u8),
    End,
    /// A seat places its contractor, or passes.
    Bid(Seat),
    /// A seat chooses its reward.
    Reward(Seat),
    Over,
}

/// Where a contractor is (rules 28 to 30).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) enum Contractor {
    /// At the general store: not placed yet, or outbid.
    #[default]
    Home,
    /// At the general store: has passed.
    Passed,
    At(CitySpace),
}

/// The contents of a seat's player board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Holdings {
    pub(crate) goods: Goods,
    pub(crate) workers: Workers,
    pub(crate) silver: u32,
    pub(crate) cows: u8,
    pub(crate) canteens: u8,
    /// Settlement tiles not yet placed.
    pub(crate) tiles: u8,
}

/// The map and the settlements on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Land {
    /// The tile of each slot.
    pub(crate) slots: [SlotTile; SLOTS],
    /// The start hex, or [`NO_HEX`].
    pub(crate) start: Hex,
    /// The plains without a settlement, except the start hex.
    pub(crate) free: HexSet,
    /// The plains with a cow icon, and those with a double icon.
    pub(crate) cows: HexSet,
    pub(crate) doubles: HexSet,
    pub(crate) lakes: HexSet,
    /// The costs of the plains.
    pub(crate) cost_index: CostIndex,
    /// The settled hexes of each seat.
    pub(crate) settled: [HexSet; SEATS],
    /// The hexes adjacent to these, or to the start hex.
    pub(crate) reach: [HexSet; SEATS],
    /// The hexes with two tiles or more, and those with three.
    pub(crate) two_tiles: HexSet,
    pub(crate) three_tiles: HexSet,
    /// The hash of the fields above, updated with each change.
    pub(crate) key: u64,
}

/// A position of Montana.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) land: Land,
    pub(crate) seats: [Holdings; SEATS],
    pub(crate) supply: Goods,
    pub(crate) workers: Workers,
    pub(crate) cows: u8,
    /// The crews on the bank spaces, and on the left and right sides of the production spaces.
    pub(crate) bank: [Crew; 4],
    pub(crate) left: [Crew; 12],
    pub(crate) right: [Crew; 12],
    pub(crate) contractors: [Contractor; SEATS],
    /// 0 in the set-up.
    pub(crate) round: u8,
    /// The active seat: the one whose turn or set-up spin it is.
    pub(crate) turn: Seat,
    /// Whether it is an extra turn.
    pub(crate) extra_turn: bool,
    pub(crate) stage: Stage,
}

impl Land {
    pub(crate) const EMPTY: Self = Self {
        slots: [SlotTile::NOTHING; SLOTS],
        start: NO_HEX,
        free: HexSet::EMPTY,
        cows: HexSet::EMPTY,
        doubles: HexSet::EMPTY,
        lakes: HexSet::EMPTY,
        cost_index: CostIndex::NONE,
        settled: [HexSet::EMPTY; SEATS],
        reach: [HexSet::EMPTY; SEATS],
        two_tiles: HexSet::EMPTY,
        three_tiles: HexSet::EMPTY,
        key: 0,
    };

    /// Sets the tile of a slot.
    pub(crate) fn set_slot(&mut self, slot: usize, laid: SlotTile) {
        self.key ^= slot_word(slot, self.slots[slot]) ^ slot_word(slot, laid);
        self.slots[slot] = laid;
    }

    /// Places the start tile (rules 4).
    pub(crate) fn place_start(&mut self, hex: Hex, around: HexSet) {
        self.key ^= mix(0x5374_6172_7400 | u64::from(hex));
        self.start = hex;
        self.free = self.free.without(HexSet::one(hex));
        self.reach = [around; SEATS];
    }

    /// Places tiles of a seat on a free hex.
    pub(crate) fn settle(&mut self, seat: Seat, hex: Hex, around: HexSet, tiles: u8) {
        let one = HexSet::one(hex);
        let seat_place = usize::from(seat);
        self.key ^= settlement_word(seat, hex, tiles);
        self.free = self.free.without(one);
        self.settled[seat_place] = self.settled[seat_place].or(one);
        self.reach[seat_place] = self.reach[seat_place].or(around);
        if tiles > 1 {
            self.two_tiles = self.two_tiles.or(one);
        }
        if tiles > 2 {
            self.three_tiles = self.three_tiles.or(one);
        }
    }

    /// Returns the settled hexes of all seats.
    #[inline]
    pub(crate) fn all_settled(&self) -> HexSet {
        self.settled.into_iter().fold(HexSet::EMPTY, HexSet::or)
    }

    /// Returns the number of settlement tiles on a hex.
    pub(crate) fn tiles(&self, hex: Hex) -> u8 {
        let has = |set: HexSet| u8::from(set.contains(hex));
        has(self.all_settled()) + has(self.two_tiles) + has(self.three_tiles)
    }

    /// Returns the seat that has settled a hex.
    pub(crate) fn owner(&self, hex: Hex) -> Option<Seat> {
        (0..SEATS as Seat).find(|&seat| self.settled[usize::from(seat)].contains(hex))
    }

    fn key_from_scratch(&self) -> u64 {
        let mut key = (0..SLOTS).fold(0, |key, slot| key ^ slot_word(slot, self.slots[slot]));
        if self.start != NO_HEX {
            key ^= mix(0x5374_6172_7400 | u64::from(self.start));
        }
        for seat in 0..SEATS as Seat {
            for hex in self.settled[usize::from(seat)].iter() {
                key ^= settlement_word(seat, hex, self.tiles(hex));
            }
        }
        key
    }
}

fn slot_word(slot: usize, laid: SlotTile) -> u64 {
    if laid == SlotTile::NOTHING { 0 } else { mix(0x536C_6F74_0000 | (slot as u64) << 8 | u64::from(laid.code())) }
}

fn settlement_word(seat: Seat, hex: Hex, tiles: u8) -> u64 {
    mix(0x5469_6C65_0000_0000 | u64::from(seat) << 16 | u64::from(hex) << 8 | u64::from(tiles))
}

impl Stage {
    /// Encodes the stage as two small numbers.
    pub(crate) const fn code(self) -> (u8, u8) {
        match self {
            Self::Tile => (0, 0),
            Self::Rot => (1, 0),
            Self::Start => (2, 0),
            Self::Spin => (3, 0),
            Self::Hire(segment, None) => (4, segment),
            Self::Hire(segment, Some(second)) => (5, segment * 8 + second),
            Self::Main => (6, 0),
            Self::Shift(segment) => (7, segment),
            Self::Extra(space) => (8, space),
            Self::Build(sites) => (9, sites),
            Self::End => (10, 0),
            Self::Bid(seat) => (11, seat),
            Self::Reward(seat) => (12, seat),
            Self::Over => (13, 0),
        }
    }
}

impl Contractor {
    /// Returns 0 at the store, 1 after a pass, then the numbers of the city spaces plus 2.
    #[inline]
    pub(crate) const fn code(self) -> u8 {
        match self {
            Self::Home => 0,
            Self::Passed => 1,
            Self::At(city_space) => city_space + 2,
        }
    }

    pub(crate) const fn city_space(self) -> Option<CitySpace> {
        match self {
            Self::At(city_space) => Some(city_space),
            Self::Home | Self::Passed => None,
        }
    }
}

impl State {
    /// Returns the holdings of the active seat.
    #[inline]
    pub(crate) fn active(&self) -> &Holdings {
        &self.seats[usize::from(self.turn)]
    }

    #[inline]
    pub(crate) fn active_mut(&mut self) -> &mut Holdings {
        &mut self.seats[usize::from(self.turn)]
    }

    /// Returns the production spaces with a free left side, one bit each.
    #[inline]
    pub(crate) fn free_spaces(&self) -> u16 {
        let (low, high) = self.left.split_at(8);
        u16::from(free(low)) | u16::from(free(high)) << 8
    }

    /// Returns the free bank spaces, one bit each.
    #[inline]
    pub(crate) fn free_bank(&self) -> u8 {
        free(&self.bank)
    }

    /// Returns a 64-bit hash. The hash of the map is stored, because it changes rarely. The rest is hashed on each call.
    pub(crate) fn key(&self) -> u64 {
        self.hash_with(self.land.key)
    }

    pub(crate) fn key_from_scratch(&self) -> u64 {
        self.hash_with(self.land.key_from_scratch())
    }

    fn hash_with(&self, land: u64) -> u64 {
        let mut key = land;
        let mut add = |word: u64| key = mix(key.rotate_left(5) ^ word);
        for seat in &self.seats {
            add(seat.goods.0);
            add(u64::from(seat.workers.0) << 32 | u64::from(seat.silver));
            add(u64::from(seat.cows) << 16 | u64::from(seat.canteens) << 8 | u64::from(seat.tiles));
        }
        add(self.supply.0);
        add(u64::from(self.workers.0) << 8 | u64::from(self.cows));
        for crews in [&self.left, &self.right] {
            crews.chunks(8).for_each(|crews| add(word(crews)));
        }
        add(word(&self.bank));
        add(word(&self.contractors.map(Contractor::code)));
        let (stage, detail) = self.stage.code();
        add(word(&[stage, detail, self.round, self.turn, self.extra_turn.into()]));
        key
    }
}

/// Returns the indices of the empty crews among up to eight, one bit each.
#[inline]
fn free(crews: &[Crew]) -> u8 {
    const LOW: u64 = u64::MAX / 255;
    let mut bytes = [1; 8];
    bytes[..crews.len()].copy_from_slice(crews);
    // Crews are below 128. Plus 127, every crew but 0 reaches the highest bit. These bits are gathered into one byte.
    let none = (!(u64::from_le_bytes(bytes) + 127 * LOW) >> 7) & LOW;
    (none.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8
}

/// Packs up to eight bytes into a word.
fn word(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn free_spaces_are_found() {
        for crews in [[0; 8], [1; 8], [0, 69, 0, 1, 5, 0, 0, 2], [3, 0, 0, 0, 0, 0, 0, 0]] {
            for len in 1..=8 {
                let expected = crews[..len].iter().enumerate().map(|(place, &crew)| u8::from(crew == 0) << place);
                assert_eq!(free(&crews[..len]), expected.sum::<u8>());
            }
        }
    }
}
