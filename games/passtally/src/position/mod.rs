//! Positions as text (rules 22).

mod fields;
mod format;
mod parse;
mod validate;

pub(crate) use format::format_position;
pub(crate) use parse::{parse_position, read_sketch};
pub(crate) use validate::MOST_POINTS;
