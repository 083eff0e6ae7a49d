//! The nine fields of a position text, read but not yet validated (rules 22).

use tavola_core::Seat;

use crate::actions::PileIndex;
use crate::cells::{CELLS, Side};
use crate::rim::RimPosition;
use crate::tiles::Shape;

/// A cell that is not bare: shape, level, and the side of the visible other half.
pub(crate) type Seen = (Shape, u32, Option<Side>);

/// A value that may be absent, written `-`.
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
    /// By seat. A position occurs as often as the text names it.
    pub(crate) markers: Option<Vec<Vec<RimPosition>>>,
    pub(crate) points: Option<Vec<u32>>,
    /// Face-up tile and face-down count of each pile.
    pub(crate) piles: Option<Vec<(Option<u8>, u32)>>,
    pub(crate) unseen: Option<Vec<u32>>,
    /// The pile whose tile chance must reveal, and the seat.
    pub(crate) seat: Option<Given<(Option<PileIndex>, Seat)>>,
    pub(crate) actions: Option<Actions>,
    pub(crate) last: Option<bool>,
    pub(crate) idle: Option<Given<u32>>,
}

/// The stage of the game as the text gives it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Actions {
    /// `-`
    Over,
    /// `u3N`
    SetUp { placed: u32, named: Vec<Side> },
    /// `1`
    Taken(u8),
}
