//! The areas of the view: board, rim and piles.

use tavola_core::view::{Area, Cell as ViewCell, Mark, Shape};
use tavola_core::{Interner, Shared, SmolStr, Text, format_smolstr};

use crate::actions::{PILES, PileIndex};
use crate::board::VisibleHalf;
use crate::cells::{self, Cell, SIZE, Side, in_text_order};
use crate::rim::{self, RIM_POSITIONS, RimPosition};
use crate::state::{Pile, State};

/// The distance from the centres of the outermost cells to the rim positions, in cell widths.
const RIM_DISTANCE: f64 = 0.8;

/// The cell of a pile's face-up tile. The tile's second half is on [`pile_part`].
pub(crate) fn pile_cell(pile: PileIndex) -> SmolStr {
    format_smolstr!("pile-{}", pile + 1)
}

pub(crate) fn pile_part(pile: PileIndex) -> SmolStr {
    format_smolstr!("pile-{}-b", pile + 1)
}

/// The centre of a cell: x to the right, y downwards.
pub(crate) fn centre(cell: Cell) -> (f64, f64) {
    (f64::from(cell % SIZE), f64::from(SIZE - 1 - cell / SIZE))
}

pub(crate) fn offset(at: (f64, f64), side: Side, by: f64) -> (f64, f64) {
    match side {
        0 => (at.0, at.1 - by),
        1 => (at.0 + by, at.1),
        2 => (at.0, at.1 + by),
        _ => (at.0 - by, at.1),
    }
}

pub(crate) fn rim_point(position: RimPosition) -> (f64, f64) {
    offset(centre(rim::adjacent_cell(position)), rim::side_of(position), RIM_DISTANCE)
}

pub(crate) fn areas(state: &State) -> Vec<Area> {
    let board = in_text_order().map(|cell| board_cell(state.board.top(cell), cell)).collect();
    let rim = (0..RIM_POSITIONS).map(rim_cell).collect();
    let piles = (0..PILES).flat_map(|pile| pile_cells(state, pile)).collect();
    let area = |id: &str, shape, cells| Area {
        id: id.into(),
        shape,
        label: Text::new(format_smolstr!("area.{id}")),
        size: 1.0,
        cells,
    };
    vec![area("board", Shape::Square, board), area("rim", Shape::Free, rim), area("piles", Shape::Free, piles)]
}

fn board_cell(top: VisibleHalf, cell: Cell) -> Shared<ViewCell> {
    static CELLS: Interner<(Cell, u8), ViewCell> = Interner::new();
    CELLS.get((cell, top.height()), |&(cell, height)| make_board_cell(cell, height))
}

fn make_board_cell(cell: Cell, height: u8) -> ViewCell {
    let (x, y) = centre(cell);
    let level = match height {
        0..=2 => None,
        3..=4 => Some(3),
        _ => Some(5),
    };
    let mark =
        |level: u8| Mark::new(format_smolstr!("level-{level}"), Text::new("mark.level").with("n", i64::from(level)));
    ViewCell {
        id: cells::name(cell),
        x,
        y,
        symbol: Some("cell".into()),
        label: Text::new("cell").with("cell", cells::name(cell)),
        marks: level.map(mark).into_iter().collect(),
        value: Some(height.into()),
        part_of: None,
    }
}

fn rim_cell(position: RimPosition) -> Shared<ViewCell> {
    static RIM_CELLS: Interner<RimPosition, ViewCell> = Interner::new();
    let (x, y) = rim_point(position);
    RIM_CELLS.get(position, |_| ViewCell {
        id: rim::name(position),
        x,
        y,
        symbol: Some("rim".into()),
        label: Text::new("cell.rim").with("cell", rim::name(position)),
        marks: Vec::new(),
        value: None,
        part_of: None,
    })
}

fn pile_cells(state: &State, pile: PileIndex) -> [Shared<ViewCell>; 2] {
    static WHOLES: Interner<(PileIndex, u8, bool), ViewCell> = Interner::new();
    static PARTS: Interner<(PileIndex, bool), ViewCell> = Interner::new();
    let contents = state.piles[pile as usize];
    let whole = || pile_whole(pile, contents);
    let part = |_: &(PileIndex, bool)| ViewCell {
        id: pile_part(pile),
        x: whole().x + 1.0,
        value: None,
        part_of: Some(pile_cell(pile)),
        ..whole()
    };
    let used_up = contents.is_used_up();
    [WHOLES.get((pile, contents.down, used_up), |_| whole()), PARTS.get((pile, used_up), part)]
}

fn pile_whole(pile: PileIndex, contents: Pile) -> ViewCell {
    ViewCell {
        id: pile_cell(pile),
        x: -0.5 + 2.5 * f64::from(pile),
        y: f64::from(SIZE) + 1.1,
        symbol: Some(if contents.is_used_up() { "pile-empty" } else { "pile" }.into()),
        label: Text::new("cell.pile").with("n", i64::from(pile) + 1),
        marks: Vec::new(),
        value: Some(contents.down.into()),
        part_of: None,
    }
}

/// The rotation of a tile by the direction from its first to its second half.
pub(crate) fn degrees(direction: Side) -> u16 {
    u16::from((direction + 3) % 4) * 90
}

/// The direction from the first to the second half by rotation.
pub(crate) fn direction_of(turn: u16) -> Side {
    ((turn / 90 + 1) % 4) as Side
}
