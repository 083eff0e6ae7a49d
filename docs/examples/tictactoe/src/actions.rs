//! Actions: a mark on a square (rules 3).

/// A mark on a square, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Action(pub(crate) u8);
