//! The names of a position text's fields.

pub(crate) const CELL: &str = "field.cells";
pub(crate) const SEAT: &str = "field.seat";
pub(crate) const COUNT: &str = "field.count";
pub(crate) const PAST: &str = "field.past";
