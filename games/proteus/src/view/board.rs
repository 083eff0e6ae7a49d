//! The areas of the view: the board, the pool and each seat's hand.

use std::sync::LazyLock;

use tavola_core::view::{Area, Cell as ViewCell, Shape as CellShape};
use tavola_core::{Seat, Shared, SmolStr, Text, format_smolstr};

use crate::board::{self, CELLS};
use crate::pieces::TILES;
use crate::state::State;
use crate::view::labels::{counter_label, hand_cell, pool_cell, tile_label};

fn cell(id: SmolStr, x: f64, y: f64, symbol: Option<&'static str>, label: Text) -> Shared<ViewCell> {
    let symbol = symbol.map(SmolStr::new_static);
    Shared::interned(ViewCell { id, x, y, symbol, label, marks: Vec::new(), value: None, part_of: None })
}

pub(crate) fn areas(state: &State) -> Vec<Area> {
    static ALL: LazyLock<[Area; 4]> = LazyLock::new(|| [board_area(), pool_area(), hand_area(0), hand_area(1)]);
    let shown = |area: &&Area| match &*area.id {
        "board" => true,
        // An empty pool takes no room.
        "pool" => state.count.is_none() && state.board.pool() > 0,
        _ => state.count.is_none(),
    };
    ALL.iter().filter(shown).cloned().collect()
}

fn board_area() -> Area {
    let squares = (0..CELLS).map(|place| {
        let (x, y) = (f64::from(place % 3), f64::from(2 - place / 3));
        cell(board::name(place), x, y, Some("cell"), Text::new("cell").with("cell", board::name(place)))
    });
    Area {
        id: "board".into(),
        shape: CellShape::Square,
        label: Text::new("area.board"),
        size: 1.0,
        cells: squares.collect(),
    }
}

/// Below the board in two rows, as wide as it is with the hands: all of it is about as high as wide, for any screen.
fn pool_area() -> Area {
    let pool = (0..TILES).map(|tile| {
        let (x, y) = if tile < 5 { (f64::from(tile) - 1.0, 3.25) } else { (f64::from(tile) - 5.5, 4.25) };
        cell(pool_cell(tile), x, y, Some("tray"), Text::new("cell.pool").with("piece", tile_label(tile)))
    });
    Area { id: "pool".into(), shape: CellShape::Free, label: Text::new("area.pool"), size: 1.0, cells: pool.collect() }
}

/// Beside the board, as the seats stand beside each other.
fn hand_area(seat: Seat) -> Area {
    let x = if seat == 0 { -1.0 } else { 3.0 };
    let cells = (0..3).map(|shape| {
        let label = Text::new("cell.hand").with("piece", counter_label(seat, shape));
        cell(hand_cell(seat, shape), x, f64::from(shape), None, label)
    });
    Area {
        id: format_smolstr!("hand-{seat}"),
        shape: CellShape::Free,
        label: Text::new(format_smolstr!("area.hand.{seat}")),
        size: 1.0,
        cells: cells.collect(),
    }
}
