//! The pieces of the view: chips and pawns.

use tavola_core::view::Piece;
use tavola_core::{Interner, Seat, Shared, Text, ToSmolStr, format_smolstr};

use super::labels::COLOURS;
use crate::hex::Hex;
use crate::state::State;

pub(crate) fn chip(place: Hex, level: u8, code: u8) -> Shared<Piece> {
    static CHIPS: Interner<(Hex, u8, Option<Seat>), Piece> = Interner::new();
    let owner = match (level, code) {
        (2, 4) => Some(0),
        (2, 5) => Some(1),
        _ => None,
    };
    let colour = owner.map_or("neutral", |seat| COLOURS[seat as usize]);
    CHIPS.get((place, level, owner), |_| Piece {
        id: format_smolstr!("{place}/{level}"),
        cell: place.to_smolstr(),
        symbol: format_smolstr!("chip-{colour}"),
        label: Text::new(format_smolstr!("piece.chip.{colour}")),
        level,
        turn: 0,
        owner,
    })
}

pub(crate) fn pawn(seat: Seat, place: Hex, level: u8) -> Shared<Piece> {
    static PAWNS: Interner<(Hex, u8, Seat), Piece> = Interner::new();
    PAWNS.get((place, level, seat), |_| Piece {
        id: format_smolstr!("pawn-{seat}"),
        cell: place.to_smolstr(),
        symbol: format_smolstr!("pawn-{}", COLOURS[seat as usize]),
        label: Text::new(format_smolstr!("piece.pawn.{seat}")),
        level,
        turn: 0,
        owner: Some(seat),
    })
}

pub(crate) fn all_pieces(state: &State) -> Vec<Shared<Piece>> {
    let mut pieces = Vec::new();
    for tile in state.order() {
        let place = state.places[tile as usize];
        for level in 0..state.stacks.height(tile) {
            pieces.push(chip(place, level, state.stacks.code(tile)));
        }
        for seat in 0..2 {
            if state.pawns[seat as usize] == tile {
                pieces.push(pawn(seat, place, state.stacks.height(tile)));
            }
        }
    }
    pieces
}
