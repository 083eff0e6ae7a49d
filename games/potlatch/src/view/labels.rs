//! Names of seats for screens.

use tavola_core::{Seat, Text, format_smolstr};

/// The part of symbol and word names that stands for each seat's colour.
pub(crate) const COLOURS: [&str; 2] = ["red", "blue"];

pub(crate) fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}
