//! Names of seats, tile types and sides for screens.

use tavola_core::{Seat, Text, format_smolstr};

use crate::cells::{SIDES, Side};
use crate::tiles::{NAMES, TileType};

pub(crate) fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}

pub(crate) fn type_name(tile_type: TileType) -> Text {
    Text::new(format_smolstr!("type.{}", NAMES[tile_type as usize]))
}

pub(crate) fn side_name(side: Side) -> Text {
    Text::new(format_smolstr!("side.{}", SIDES[side as usize]))
}
