//! Names of seats, tile types and sides for screens.

use tavola_core::{Seat, Text, format_smolstr};

use crate::cells::{Cell, SIDES, SIZE, Side};
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

/// The part of the board that a cell is in: nine parts of two by two cells.
pub(crate) fn region_name(cell: Cell) -> Text {
    let (column, row) = (cell % SIZE / 2, cell / SIZE / 2);
    Text::new(format_smolstr!("region.{}{}", char::from(b'a' + column), row + 1))
}
