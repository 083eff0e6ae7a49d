//! The fields of a position text (rules 13).

use crate::hex::Hex;

/// A stack in a text: its hex and its code.
pub(crate) type Stack = (Hex, u8);

/// The stacks and pawns at the start of a turn, in a text.
pub(crate) type PastStart = (Vec<Stack>, [Hex; 2]);

/// The parts of a text at the start of a turn: stacks, pawns and completed turns.
pub(crate) type PositionStart = (Vec<Stack>, [Hex; 2], u8);

pub(crate) const TILES: &str = "field.tiles";
pub(crate) const PAWNS: &str = "field.pawns";
pub(crate) const SEAT: &str = "field.seat";
pub(crate) const TAKEN: &str = "field.taken";
pub(crate) const VISITED: &str = "field.visited";
pub(crate) const RUN: &str = "field.run";
pub(crate) const TURNS: &str = "field.turns";
pub(crate) const PAST: &str = "field.past";
