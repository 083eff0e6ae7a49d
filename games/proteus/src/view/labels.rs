//! The labels of seats, tiles, counters and rules, and the ids of the cells where pieces wait.

use tavola_core::{Seat, SmolStr, Text, format_smolstr};

use crate::board::{self, Cell};
use crate::pieces::{COLOURS, SHAPES, Shape, Tile, colour_of, shape_of, tile_name};

/// The cell of the pool where a tile waits.
pub(crate) fn pool_cell(tile: Tile) -> SmolStr {
    format_smolstr!("pool-{}", tile_name(tile))
}

/// The cell where a counter waits.
pub(crate) fn hand_cell(seat: Seat, shape: Shape) -> SmolStr {
    format_smolstr!("hand-{seat}-{}", SHAPES[shape as usize])
}

pub(crate) fn shape_name(shape: Shape) -> Text {
    Text::new(format_smolstr!("shape.{}", SHAPES[shape as usize]))
}

pub(crate) fn colour_name(tile: Tile) -> Text {
    Text::new(format_smolstr!("colour.{}", COLOURS[colour_of(tile) as usize]))
}

pub(crate) fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}

/// The label of a tile without its facing.
pub(crate) fn tile_label(tile: Tile) -> Text {
    Text::new("piece.tile").with("colour", colour_name(tile)).with("shape", shape_name(shape_of(tile)))
}

pub(crate) fn counter_label(seat: Seat, shape: Shape) -> Text {
    Text::new("piece.counter").with("seat", seat_name(seat)).with("shape", shape_name(shape))
}

/// Where a cell is on the board.
pub(crate) fn place_name(cell: Cell) -> Text {
    Text::new(format_smolstr!("place.{}", board::name(cell)))
}

/// A rule's name, as a text.
pub(crate) fn rule_name(rule: &str) -> Text {
    Text::new(format_smolstr!("rule.{rule}"))
}
