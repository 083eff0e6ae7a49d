//! The map: numbered hexes, their neighbours and their terrain (rules 3, 5).

use std::sync::LazyLock;
use tavola_core::{SmolStr, format_smolstr};

use tavola_core::bitset::nth_wide;

use crate::components::{COMPONENTS, Ground};
use crate::multiset::{Goods, KINDS};

/// A hex of the map, numbered in the ASCII order of its name.
pub(crate) type Hex = u8;

/// Stands for no hex.
pub(crate) const NO_HEX: Hex = 255;

/// The size of the largest map: ten tiles of seven hexes.
pub(crate) const MOST_HEXES: usize = 70;

/// The directions, clockwise from east (rules 3).
const DIRECTIONS: [(i8, i8); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// A set of hexes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct HexSet(pub(crate) u128);

impl HexSet {
    pub(crate) const EMPTY: Self = Self(0);

    #[inline]
    pub(crate) const fn one(hex: Hex) -> Self {
        Self(1 << hex)
    }

    #[inline]
    pub(crate) const fn contains(self, hex: Hex) -> bool {
        self.0 >> hex & 1 == 1
    }

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns the hex after `n` others.
    #[inline]
    pub(crate) fn nth(self, n: u32) -> Hex {
        nth_wide(self.0, n)
    }

    #[inline]
    pub(crate) const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[inline]
    pub(crate) const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[inline]
    pub(crate) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Iterates over the hexes, lowest number first.
    #[inline]
    pub(crate) fn iter(self) -> impl Iterator<Item = Hex> {
        let mut left = self.0;
        std::iter::from_fn(move || {
            let hex = left.trailing_zeros();
            (left != 0).then(|| {
                left &= left - 1;
                hex as Hex
            })
        })
    }
}

/// The shape of the map for a number of seats, without anything that depends on chance.
#[derive(Debug)]
pub(crate) struct Map {
    pub(crate) slots: u8,
    pub(crate) hexes: u8,
    /// The axial coordinates of each hex, and its name.
    pub(crate) coordinates: Vec<(i8, i8)>,
    /// The rows and columns of the smallest rectangle of coordinates r and q, and the cell of each hex in it.
    pub(crate) rectangle: (usize, usize),
    pub(crate) cells: Vec<u16>,
    names: Vec<SmolStr>,
    /// The hexes in the order of position texts: by q, then r (rules 55).
    pub(crate) text_order: Vec<Hex>,
    /// The neighbours of each hex, clockwise from east. [`NO_HEX`] beyond the edge.
    pub(crate) beside: [[Hex; 6]; MOST_HEXES],
    pub(crate) around: [HexSet; MOST_HEXES],
    /// The slot of each hex and its place there: 0 is the centre, 1 to 6 are the directions.
    pub(crate) places: [(u8, u8); MOST_HEXES],
    /// The seven hexes of each slot, in the order of places.
    pub(crate) slot_hexes: Vec<[Hex; 7]>,
}

/// The maps for two, three and four seats.
pub(crate) static MAPS: LazyLock<[Map; 3]> =
    LazyLock::new(|| std::array::from_fn(|table| Map::new(&COMPONENTS.tables[table].slots)));

impl Map {
    fn new(slots: &[(i8, i8)]) -> Self {
        let offsets = std::iter::once((0, 0)).chain(DIRECTIONS);
        let mut found: Vec<((i8, i8), (u8, u8))> = Vec::new();
        for (slot, &(q, r)) in (0..).zip(slots) {
            found.extend(offsets.clone().zip(0..).map(|((dq, dr), place)| ((q + dq, r + dr), (slot, place))));
        }
        found.sort_by_key(|&(coordinates, _)| name(coordinates));
        let coordinates: Vec<_> = found.iter().map(|&(coordinates, _)| coordinates).collect();
        let at = |wanted: (i8, i8)| coordinates.iter().position(|&known| known == wanted).map(|hex| hex as Hex);
        let range = |of: fn(&(i8, i8)) -> i8| {
            let (mut least, mut most) = (i8::MAX, i8::MIN);
            for value in coordinates.iter().map(of) {
                (least, most) = (least.min(value), most.max(value));
            }
            (least, (most - least + 1) as usize)
        };
        let ((least_q, columns), (least_r, rows)) = (range(|&(q, _)| q), range(|&(_, r)| r));
        let cell = |&(q, r): &(i8, i8)| (r - least_r) as u16 * columns as u16 + (q - least_q) as u16;
        let mut map = Self {
            rectangle: (rows, columns),
            cells: coordinates.iter().map(cell).collect(),
            slots: slots.len() as u8,
            hexes: coordinates.len() as u8,
            text_order: (0..coordinates.len() as u8).collect(),
            beside: [[NO_HEX; 6]; MOST_HEXES],
            around: [HexSet::EMPTY; MOST_HEXES],
            places: [(0, 0); MOST_HEXES],
            slot_hexes: vec![[NO_HEX; 7]; slots.len()],
            names: coordinates.iter().copied().map(name).collect(),
            coordinates: coordinates.clone(),
        };
        map.text_order.sort_by_key(|&hex| coordinates[usize::from(hex)]);
        for (hex, &((q, r), (slot, place))) in found.iter().enumerate() {
            map.places[hex] = (slot, place);
            map.slot_hexes[usize::from(slot)][usize::from(place)] = hex as Hex;
            for (direction, (dq, dr)) in DIRECTIONS.into_iter().enumerate() {
                if let Some(other) = at((q + dq, r + dr)) {
                    map.beside[hex][direction] = other;
                    map.around[hex] = map.around[hex].or(HexSet::one(other));
                }
            }
        }
        map
    }

    /// Returns the name of a hex, such as `-1,2`.
    pub(crate) fn name(&self, hex: Hex) -> SmolStr {
        self.names[usize::from(hex)].clone()
    }

    /// Returns the hex with this name.
    pub(crate) fn parse(&self, text: &str) -> Option<Hex> {
        let (q, r) = text.split_once(',')?;
        let wanted: (i8, i8) = (q.parse().ok()?, r.parse().ok()?);
        let hex = self.coordinates.iter().position(|&known| known == wanted)? as Hex;
        // `+1,02` is not a name.
        (self.name(hex) == text).then_some(hex)
    }
}

fn name((q, r): (i8, i8)) -> SmolStr {
    format_smolstr!("{q},{r}")
}

/// The tile in a slot: none, drawn, or drawn and rotated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct SlotTile(u8);

/// A drawn tile without a rotation.
const UNTURNED: u8 = 7;

impl SlotTile {
    pub(crate) const NOTHING: Self = Self(0);

    pub(crate) const fn drawn(tile: u8) -> Self {
        Self((tile + 1) << 3 | UNTURNED)
    }

    #[must_use]
    pub(crate) const fn turned(self, turn: u8) -> Self {
        Self(self.0 & !7 | turn)
    }

    /// Returns the tile, if one is drawn.
    pub(crate) const fn tile(self) -> Option<u8> {
        (self.0 >> 3).checked_sub(1)
    }

    /// Returns the rotation, if there is one.
    pub(crate) const fn turn(self) -> Option<u8> {
        if self.0 == 0 || self.0 & 7 == UNTURNED { None } else { Some(self.0 & 7) }
    }

    pub(crate) const fn code(self) -> u8 {
        self.0
    }

    /// Returns the terrain at a place of the slot, once the tile is rotated (rules 3).
    pub(crate) fn ground(self, place: u8) -> Option<Ground> {
        self.turn()?;
        Some(GROUNDS[usize::from(self.0)][usize::from(place)])
    }

    /// Returns the cost of the plain at a place.
    #[inline]
    pub(crate) fn cost(self, place: u8, costs: &Costs) -> Goods {
        costs[usize::from(self.0)][usize::from(place)]
    }
}

/// The terrain at each place, by the code of the tile and its rotation.
static GROUNDS: LazyLock<Vec<[Ground; 7]>> = LazyLock::new(|| {
    let mut grounds = vec![[Ground::Mountain; 7]; (COMPONENTS.tiles.len() + 1) << 3];
    for (tile, data) in (0..).zip(&COMPONENTS.tiles) {
        for turn in 0..6 {
            let places = &mut grounds[usize::from(SlotTile::drawn(tile).turned(turn).0)];
            places[0] = data.hexes[0];
            for position in 1..7 {
                // Position i lies in direction (i - 1 + k) mod 6.
                places[(position - 1 + usize::from(turn)) % 6 + 1] = data.hexes[position];
            }
        }
    }
    grounds
});

/// For each good, the plains that cost at least one, two and three of it. No plain costs three.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct CostIndex([[HexSet; 3]; KINDS]);

impl CostIndex {
    pub(crate) const NONE: Self = Self([[HexSet::EMPTY; 3]; KINDS]);

    /// Adds the cost of a plain.
    pub(crate) fn add(&mut self, hex: Hex, cost: Goods) {
        for (sets, count) in self.0.iter_mut().zip(cost.counts()) {
            for set in &mut sets[..count.into()] {
                *set = set.or(HexSet::one(hex));
            }
        }
    }

    /// Returns the plains that these goods cannot pay for.
    #[inline]
    pub(crate) fn unaffordable(&self, goods: Goods) -> HexSet {
        let sets = self.0.iter().enumerate();
        sets.map(|(lane, sets)| sets[usize::from(goods.count(lane).min(2))]).fold(HexSet::EMPTY, HexSet::or)
    }
}

/// The costs of plains, by the code of the tile and its rotation, and the place.
pub(crate) type Costs = Vec<[Goods; 7]>;

pub(crate) static COSTS: LazyLock<Costs> = LazyLock::new(|| {
    let cost = |ground: Ground| match ground {
        Ground::Plain { cost, .. } => cost,
        Ground::Lake | Ground::Mountain => Goods::NONE,
    };
    GROUNDS.iter().map(|places| places.map(cost)).collect()
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_plain_costs_three_of_a_good() {
        let most = COSTS.iter().flatten().flat_map(|cost| cost.counts()).max();
        assert_eq!(most, Some(2));
    }

    #[test]
    fn maps_have_the_figures_of_the_rule_book() {
        for (map, (slots, hexes)) in MAPS.iter().zip([(7, 49), (9, 63), (10, 70)]) {
            assert_eq!((map.slots, map.hexes), (slots, hexes));
            assert!(
                map.coordinates.windows(2).all(|pair| name(pair[0]) < name(pair[1])),
                "in the order of names, each once"
            );
            for hex in 0..map.hexes {
                assert_eq!(map.parse(&map.name(hex)), Some(hex));
                for other in map.around[usize::from(hex)].iter() {
                    assert!(map.around[usize::from(other)].contains(hex));
                }
            }
        }
    }
}
