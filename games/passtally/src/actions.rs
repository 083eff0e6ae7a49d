//! Actions and chance outcomes in 16 bits (rules 8, 10, 11, 21).

use crate::cells::{PAIRS, Pair};
use crate::ring::{PLACES, Place};
use crate::tiles::{Laid, TYPES, Type, WAYS};

/// A pile: 0, 1 or 2.
pub(crate) type Pile = u8;

pub(crate) const PILES: u8 = 3;

/// An action or chance outcome; ordered by kind, then by what it names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u16);

/// What an action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Deed {
    /// A marker is set on a position (rules 8).
    Set(Place),
    /// The face-up tile of a pile is laid (rules 10).
    Tile(Pile, Laid),
    /// A marker goes from a position to another (rules 11).
    Marker(Place, Place),
    /// Chance turns up a tile of this type on the pile (rules 7, 10).
    Draw(Pile, Type),
}

const KIND: u32 = 14;
const TILE: u16 = 1 << KIND;
const MARKER: u16 = 2 << KIND;
const DRAW: u16 = 3 << KIND;

impl Action {
    #[inline]
    pub(crate) const fn set(place: Place) -> Self {
        Self(place as u16)
    }

    #[inline]
    pub(crate) const fn tile(pile: Pile, laid: Laid) -> Self {
        Self(TILE | (pile as u16) << 10 | (laid.kind as u16) << 7 | (laid.pair as u16) << 1 | laid.flipped as u16)
    }

    #[inline]
    pub(crate) const fn marker(from: Place, to: Place) -> Self {
        Self(MARKER | (from as u16) << 5 | to as u16)
    }

    #[inline]
    pub(crate) const fn draw(pile: Pile, kind: Type) -> Self {
        Self(DRAW | (pile as u16) << 3 | kind as u16)
    }

    #[inline]
    pub(crate) const fn of(deed: Deed) -> Self {
        match deed {
            Deed::Set(place) => Self::set(place),
            Deed::Tile(pile, laid) => Self::tile(pile, laid),
            Deed::Marker(from, to) => Self::marker(from, to),
            Deed::Draw(pile, kind) => Self::draw(pile, kind),
        }
    }

    #[inline]
    pub(crate) fn deed(self) -> Deed {
        let part = |from: u32, bits: u32| (self.0 >> from & ((1 << bits) - 1)) as u8;
        match self.0 & DRAW {
            0 => Deed::Set(part(0, 5)),
            TILE => Deed::Tile(part(10, 2), Laid { kind: part(7, 3), pair: part(1, 6), flipped: self.0 & 1 == 1 }),
            MARKER => Deed::Marker(part(5, 5), part(0, 5)),
            _ => Deed::Draw(part(3, 2), part(0, 3)),
        }
    }
}

const PLACES_: usize = PLACES as usize;
const SETS: usize = PLACES_;
const MARKERS: usize = PLACES_ * (PLACES_ - 1);

/// How many ways there are to lay the types before this one, on an empty board.
const fn ways_before(kind: Type) -> usize {
    let mut ways = 0;
    let mut before = 0;
    while before < kind {
        ways += WAYS[before as usize] as usize * PAIRS as usize;
        before += 1;
    }
    ways
}

const WAYS_OF_ALL: usize = ways_before(TYPES);

/// How many actions of seats there are.
pub(crate) const COUNT: usize = SETS + PILES as usize * WAYS_OF_ALL + MARKERS;

/// The number of an action; chance outcomes have none, and get one beyond the last.
pub(crate) fn index(action: Action) -> usize {
    match action.deed() {
        Deed::Set(place) => place.into(),
        Deed::Tile(pile, Laid { kind, pair, flipped }) => {
            let way = usize::from(pair) * WAYS[kind as usize] as usize + usize::from(flipped);
            SETS + usize::from(pile) * WAYS_OF_ALL + ways_before(kind) + way
        }
        Deed::Marker(from, to) => {
            COUNT - MARKERS + usize::from(from) * (PLACES_ - 1) + usize::from(if to > from { to - 1 } else { to })
        }
        Deed::Draw(pile, kind) => COUNT + usize::from(pile * TYPES + kind),
    }
}

/// The action with a number.
pub(crate) fn from_index(index: usize) -> Option<Action> {
    if index < SETS {
        return Some(Action::set(index as Place));
    }
    if index >= COUNT {
        return None;
    }
    if let Some(marker) = index.checked_sub(COUNT - MARKERS) {
        let (from, to) = ((marker / (PLACES_ - 1)) as Place, (marker % (PLACES_ - 1)) as Place);
        return Some(Action::marker(from, if to >= from { to + 1 } else { to }));
    }
    let (pile, tile) = ((index - SETS) / WAYS_OF_ALL, (index - SETS) % WAYS_OF_ALL);
    let kind = (0..TYPES).rev().find(|&kind| ways_before(kind) <= tile)?;
    let (way, ways) = (tile - ways_before(kind), WAYS[kind as usize] as usize);
    Some(Action::tile(pile as Pile, Laid { kind, pair: (way / ways) as Pair, flipped: way % ways == 1 }))
}
