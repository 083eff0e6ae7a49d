//! The nine fields of a position text, read but not yet validated (rules 22).

use tavola_core::Seat;

use crate::actions::PileIndex;
use crate::cells::{CELLS, Side};
use crate::rim::RimPosition;
use crate::tiles::Shape;

/// What one sees of a cell that is not bare: shape, level, and the side on which the other half lies.
pub(crate) type Seen = (Shape, u32, Option<Side>);

/// What may be left out, written `-`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Given<T> {
    Not,
    Is(T),
}

impl<T> Given<T> {
    pub(crate) fn value(self) -> Option<T> {
        match self {
            Self::Not => None,
            Self::Is(value) => Some(value),
        }
    }
}

/// The fields of a text, each `None` if it is malformed.
pub(crate) struct Fields {
    pub(crate) board: Option<[Option<Seen>; CELLS as usize]>,
    /// Per seat, with a position as often as it is named.
    pub(crate) markers: Option<Vec<Vec<RimPosition>>>,
    pub(crate) points: Option<Vec<u32>>,
    /// Face-up tile and face-down count of each pile.
    pub(crate) piles: Option<Vec<(Option<u8>, u32)>>,
    pub(crate) unseen: Option<Vec<u32>>,
    /// The pile due at chance, and the seat.
    pub(crate) seat: Option<Given<(Option<PileIndex>, Seat)>>,
    pub(crate) actions: Option<Actions>,
    pub(crate) last: Option<bool>,
    pub(crate) idle: Option<Given<u32>>,
}

/// How far the game has got, as the text says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Actions {
    /// `-`
    Over,
    /// `u3N`
    SetUp { placed: u32, named: Vec<Side> },
    /// `1`
    Taken(u8),
}
