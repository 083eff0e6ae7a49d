//! Positions as text, and the texts that are impossible (rules 20).

mod fields;
mod format;
mod parse;
mod validate;

pub(crate) use format::format_position;
pub(crate) use parse::{parse_position, read_sketch};
