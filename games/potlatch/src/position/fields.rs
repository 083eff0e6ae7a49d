//! The fields of a position text, as parts that are read and validated one by one (rules 13).

use crate::hex::Hex;

/// A stack as text tells it: where, and its code.
pub(crate) type Stack = (Hex, u8);

/// Stacks and pawns at the start of a turn, as text tells them.
pub(crate) type PastStart = (Vec<Stack>, [Hex; 2]);

pub(crate) const TILES: &str = "field.tiles";
pub(crate) const PAWNS: &str = "field.pawns";
pub(crate) const SEAT: &str = "field.seat";
pub(crate) const TAKEN: &str = "field.taken";
pub(crate) const VISITED: &str = "field.visited";
pub(crate) const RUN: &str = "field.run";
pub(crate) const TURNS: &str = "field.turns";
pub(crate) const PAST: &str = "field.past";
