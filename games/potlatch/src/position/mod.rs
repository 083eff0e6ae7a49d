//! Positions as text (rules 13), and the texts that are impossible (rules 14).

mod fields;
mod format;
mod parse;
mod validate;

pub(crate) use format::format_position;
pub(crate) use parse::parse_position;
