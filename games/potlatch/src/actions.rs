//! Actions: a pawn move or a chip move in one of six directions (rules 7, 8, 12).

use crate::hex::DIRECTIONS;
use crate::stacks::TileSet;
use crate::state::State;

/// A pawn move or a chip move, in one of the six directions (rules 12).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(u8);

/// The kind of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Move a chip from under the pawn (rules 8).
    ChipMove,
    /// Move the pawn (rules 7).
    PawnMove,
}

impl Action {
    /// The number of actions (rules 12).
    pub(crate) const COUNT: u8 = 12;

    /// The action of this kind in a direction, an index into [`DIRECTIONS`].
    pub const fn new(kind: ActionKind, direction: usize) -> Self {
        Self(match kind {
            ActionKind::ChipMove => direction as u8,
            ActionKind::PawnMove => direction as u8 + 6,
        })
    }

    pub(crate) const fn from_index(index: u8) -> Self {
        Self(index)
    }

    pub(crate) const fn index(self) -> u8 {
        self.0
    }

    /// Its kind.
    pub const fn kind(self) -> ActionKind {
        if self.0 < 6 { ActionKind::ChipMove } else { ActionKind::PawnMove }
    }

    /// Its direction, an index into [`DIRECTIONS`].
    pub const fn direction(self) -> usize {
        (if self.0 < 6 { self.0 } else { self.0 - 6 }) as usize
    }
}

/// The chip moves and pawn moves from the pawn's tile to tiles of these sets, one bit each.
#[inline]
pub(crate) fn actions_to(state: &State, chips: TileSet, walks: TileSet) -> u16 {
    // The result has a tile's chip move at a bit and its pawn move six bits higher.
    let both = chips.bits() | walks.bits().rotate_left(6);
    (0..DIRECTIONS.len()).fold(0, |actions, direction| {
        let tile = state.beside(state.pawn(), direction);
        actions | (both.rotate_right(4 * u32::from(tile)) as u16 & 0b100_0001) << direction
    })
}
