//! The pieces of the view: halves of tiles, markers, face-up tiles.

use tavola_core::view::Piece;
use tavola_core::{Interner, Seat, Shared, SmolStr, Text, format_smolstr};

use super::board::{degrees, pile_cell, pile_part};
use super::labels::{seat_name, type_name};
use crate::actions::{PILES, PileIndex};
use crate::board::VisibleHalf;
use crate::cells::{self, Cell, in_text_order, opposite};
use crate::rim::{self, RimPosition};
use crate::state::State;
use crate::tiles::{NAMES, SHAPES, TileType};

/// All pieces, in drawing order.
pub(crate) fn all_pieces(state: &State) -> Vec<Shared<Piece>> {
    let halves = in_text_order().filter_map(|cell| half_piece(state, cell));
    let markers = (0..).zip(state.markers).flat_map(|(seat, own)| rim::each(own).map(move |at| marker_piece(seat, at)));
    let faces =
        (0..PILES).filter_map(|pile| state.piles[pile as usize].face.map(|tile_type| face_pieces(pile, tile_type)));
    halves.chain(markers).chain(faces.flatten()).collect()
}

/// The visible half tile of a cell.
pub(crate) fn half_piece(state: &State, cell: Cell) -> Option<Shared<Piece>> {
    static HALVES: Interner<(Cell, VisibleHalf), Piece> = Interner::new();
    let top = state.board.top(cell);
    let level = top.height().checked_sub(1)?;
    Some(HALVES.get((cell, top), |&(cell, top)| make_half_piece(cell, top, level)))
}

fn make_half_piece(cell: Cell, top: VisibleHalf, level: u8) -> Piece {
    let print = top.print();
    let tile_type = print.map(|print| print / 2);
    let (symbol, turn) = match (print, top.joint()) {
        (Some(print), Some(joint)) => {
            let direction = if print % 2 == 0 { joint } else { opposite(joint) };
            (format_smolstr!("half-{}-{}", NAMES[(print / 2) as usize], print % 2), degrees(direction))
        }
        (Some(print), None) => {
            (format_smolstr!("lone-{}-{}", NAMES[(print / 2) as usize], print % 2), lone_turn(top, print))
        }
        (None, _) => (format_smolstr!("lone-{}", SHAPES[top.shape() as usize]), 0),
    };
    let height = i64::from(top.height());
    let label = match (tile_type, top.joint()) {
        (Some(tile_type), Some(_)) => Text::new("piece.half").with("type", type_name(tile_type)),
        _ => Text::new("piece.lone"),
    };
    let shape = Text::new(format_smolstr!("shape.{}", SHAPES[top.shape() as usize]));
    Piece {
        id: half_id(cell, level + 1),
        cell: cells::name(cell),
        symbol,
        label: label.with("shape", shape).with("level", height),
        level,
        turn,
        owner: None,
    }
}

pub(crate) fn half_id(cell: Cell, height: u8) -> SmolStr {
    format_smolstr!("{}/{height}", cells::name(cell))
}

/// The rotation of a half tile whose other half is covered. Rotations by 180 degrees look the same.
fn lone_turn(top: VisibleHalf, print: u8) -> u16 {
    let name = NAMES[(print / 2) as usize].as_bytes();
    let printed = char::from(name[(print % 2) as usize]);
    if printed == SHAPES[top.shape() as usize] { 0 } else { 90 }
}

pub(crate) fn marker_piece(seat: Seat, position: RimPosition) -> Shared<Piece> {
    static MARKERS_SET: Interner<(Seat, RimPosition), Piece> = Interner::new();
    MARKERS_SET.get((seat, position), |_| Piece {
        id: rim::name(position),
        cell: rim::name(position),
        symbol: format_smolstr!("marker-{seat}"),
        label: Text::new("piece.marker").with("seat", seat_name(seat)),
        level: 0,
        turn: 0,
        owner: Some(seat),
    })
}

pub(crate) fn face_pieces(pile: PileIndex, tile_type: TileType) -> [Shared<Piece>; 2] {
    static FACES: Interner<(PileIndex, TileType, u8), Piece> = Interner::new();
    let make = |half: u8| Piece {
        id: pile_piece(pile, half),
        cell: if half == 0 { pile_cell(pile) } else { pile_part(pile) },
        symbol: format_smolstr!("half-{}-{half}", NAMES[tile_type as usize]),
        label: Text::new("piece.face-up").with("type", type_name(tile_type)),
        level: 0,
        turn: 0,
        owner: None,
    };
    [0, 1].map(|half| FACES.get((pile, tile_type, half), |_| make(half)))
}

pub(crate) fn pile_piece(pile: PileIndex, half: u8) -> SmolStr {
    format_smolstr!("pile-{}/{half}", pile + 1)
}
