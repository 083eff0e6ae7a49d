//! Actions and chance outcomes in 16 bits (rules 8, 10, 11, 21).

use tavola_core::bitset::insert_at;

use crate::cells::{PAIRS, Pair};
use crate::rim::{RIM_POSITIONS, RimPosition};
use crate::tiles::{Placement, TILE_TYPES, TileType, WAYS};

/// A pile: 0, 1 or 2.
pub(crate) type PileIndex = u8;

pub(crate) const PILES: u8 = 3;

/// A pile by its number in text, 1 to 3.
pub(crate) fn parse_pile(digit: char) -> Option<PileIndex> {
    let pile = digit.to_digit(10)?.checked_sub(1)?;
    PileIndex::try_from(pile).ok().filter(|&pile| pile < PILES)
}

/// An action or chance outcome, ordered by kind and then by its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

/// The kind of an action, with its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ActionKind {
    /// Place a marker on a rim position during the set-up (rules 8).
    PlaceMarker(RimPosition),
    /// Place the face-up tile of a pile (rules 10).
    PlaceTile(PileIndex, Placement),
    /// Move a marker from one rim position to another (rules 11).
    MoveMarker(RimPosition, RimPosition),
    /// Chance reveals a tile of this type on the pile (rules 7, 10).
    Reveal(PileIndex, TileType),
}

const KIND_SHIFT: u32 = 14;
const PLACE_TILE: u16 = 1 << KIND_SHIFT;
const MOVE_MARKER: u16 = 2 << KIND_SHIFT;
const REVEAL: u16 = 3 << KIND_SHIFT;

impl Action {
    #[inline]
    pub(crate) const fn place_marker(position: RimPosition) -> Self {
        Self(position as u16)
    }

    #[inline]
    pub(crate) const fn place_tile(pile: PileIndex, placement: Placement) -> Self {
        let Placement { tile_type, pair, reversed } = placement;
        Self(PLACE_TILE | (pile as u16) << 10 | (tile_type as u16) << 7 | (pair as u16) << 1 | reversed as u16)
    }

    #[inline]
    pub(crate) const fn move_marker(from: RimPosition, to: RimPosition) -> Self {
        Self(MOVE_MARKER | (from as u16) << 5 | to as u16)
    }

    #[inline]
    pub(crate) const fn reveal(pile: PileIndex, tile_type: TileType) -> Self {
        Self(REVEAL | (pile as u16) << 3 | tile_type as u16)
    }

    #[inline]
    pub(crate) const fn new(kind: ActionKind) -> Self {
        match kind {
            ActionKind::PlaceMarker(position) => Self::place_marker(position),
            ActionKind::PlaceTile(pile, placement) => Self::place_tile(pile, placement),
            ActionKind::MoveMarker(from, to) => Self::move_marker(from, to),
            ActionKind::Reveal(pile, tile_type) => Self::reveal(pile, tile_type),
        }
    }

    #[inline]
    pub(crate) fn kind(self) -> ActionKind {
        let bits = |shift: u32, count: u32| (self.0 >> shift & ((1 << count) - 1)) as u8;
        match self.0 & REVEAL {
            0 => ActionKind::PlaceMarker(bits(0, 5)),
            PLACE_TILE => {
                let placement = Placement { tile_type: bits(7, 3), pair: bits(1, 6), reversed: self.0 & 1 == 1 };
                ActionKind::PlaceTile(bits(10, 2), placement)
            }
            MOVE_MARKER => ActionKind::MoveMarker(bits(5, 5), bits(0, 5)),
            _ => ActionKind::Reveal(bits(3, 2), bits(0, 3)),
        }
    }
}

const POSITIONS: usize = RIM_POSITIONS as usize;
const MARKER_MOVES: usize = POSITIONS * (POSITIONS - 1);

/// The number of ways to place the types before this one on an empty board.
const fn ways_before(tile_type: TileType) -> usize {
    let mut ways = 0;
    let mut before = 0;
    while before < tile_type {
        ways += WAYS[before as usize] as usize * PAIRS as usize;
        before += 1;
    }
    ways
}

const WAYS_PER_PILE: usize = ways_before(TILE_TYPES);

/// The number of actions that seats can take.
pub(crate) const COUNT: usize = POSITIONS + PILES as usize * WAYS_PER_PILE + MARKER_MOVES;

/// Return the index of an action. Chance outcomes get indices from [`COUNT`] on.
pub(crate) fn index(action: Action) -> usize {
    match action.kind() {
        ActionKind::PlaceMarker(position) => position.into(),
        ActionKind::PlaceTile(pile, Placement { tile_type, pair, reversed }) => {
            let way = usize::from(pair) * WAYS[tile_type as usize] as usize + usize::from(reversed);
            POSITIONS + usize::from(pile) * WAYS_PER_PILE + ways_before(tile_type) + way
        }
        ActionKind::MoveMarker(from, to) => {
            COUNT - MARKER_MOVES
                + usize::from(from) * (POSITIONS - 1)
                + usize::from(if to > from { to - 1 } else { to })
        }
        ActionKind::Reveal(pile, tile_type) => COUNT + usize::from(pile * TILE_TYPES + tile_type),
    }
}

/// Set the bits of a type's placements on open pairs, by their indices.
#[inline]
pub(crate) fn insert_tiles(words: &mut [u64], pile: PileIndex, tile_type: TileType, open: u64) {
    let first = POSITIONS + usize::from(pile) * WAYS_PER_PILE + ways_before(tile_type);
    if WAYS[tile_type as usize] == 1 {
        insert_at(words, first, open);
    } else {
        insert_at(words, first, 3 * every_second(open as u32));
        insert_at(words, first + 64, 3 * every_second((open >> 32) as u32));
    }
}

/// Set the bits of a marker's moves, by their indices.
#[inline]
pub(crate) fn insert_marker_moves(words: &mut [u64], from: RimPosition, reached: u32) {
    let before = reached & ((1 << from) - 1);
    let after = reached >> 1 & !((1 << from) - 1);
    insert_at(words, COUNT - MARKER_MOVES + usize::from(from) * (POSITIONS - 1), (before | after).into());
}

/// Spread bits: bit n goes to bit 2n.
const fn every_second(bits: u32) -> u64 {
    let mut word = bits as u64;
    word = (word | word << 16) & 0x0000_FFFF_0000_FFFF;
    word = (word | word << 8) & 0x00FF_00FF_00FF_00FF;
    word = (word | word << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    word = (word | word << 2) & 0x3333_3333_3333_3333;
    (word | word << 1) & 0x5555_5555_5555_5555
}

/// Return the action with an index, if there is one.
pub(crate) fn from_index(index: usize) -> Option<Action> {
    if index < POSITIONS {
        return Some(Action::place_marker(index as RimPosition));
    }
    if index >= COUNT {
        return None;
    }
    if let Some(marker) = index.checked_sub(COUNT - MARKER_MOVES) {
        let (from, to) = ((marker / (POSITIONS - 1)) as RimPosition, (marker % (POSITIONS - 1)) as RimPosition);
        return Some(Action::move_marker(from, if to >= from { to + 1 } else { to }));
    }
    let (pile, tile) = ((index - POSITIONS) / WAYS_PER_PILE, (index - POSITIONS) % WAYS_PER_PILE);
    let tile_type = (0..TILE_TYPES).rev().find(|&tile_type| ways_before(tile_type) <= tile)?;
    let (way, ways) = (tile - ways_before(tile_type), WAYS[tile_type as usize] as usize);
    Some(Action::place_tile(
        pile as PileIndex,
        Placement { tile_type, pair: (way / ways) as Pair, reversed: way % ways == 1 },
    ))
}

/// Return the chance outcome with an index, if there is one.
pub(crate) fn reveal_from_index(index: usize) -> Option<Action> {
    let (pile, tile_type) = (index / usize::from(TILE_TYPES), index % usize::from(TILE_TYPES));
    (pile < usize::from(PILES)).then(|| Action::reveal(pile as PileIndex, tile_type as TileType))
}
