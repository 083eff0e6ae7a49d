//! Positions as text (rules 13), and the texts that are impossible (rules 14).

mod fields;
mod format;
mod parse;
mod validate;

pub(crate) use fields::PositionStart;
pub(crate) use format::format_position;
pub(crate) use parse::{parse_position, read_hex, read_start};
pub(crate) use validate::{MOST_OF_A_COLOUR, reached};
