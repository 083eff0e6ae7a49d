//! Positions as text (rules 55 to 57).

pub(crate) mod format;
pub(crate) mod parse;
pub(crate) mod validate;
