//! The pieces of the view. A piece that looks the same in many positions is made once.

use tavola_core::view::Piece;
use tavola_core::{Interner, Seat, Shared, SmolStr, Text, format_smolstr};

use crate::board;
use crate::pieces::{SHAPES, Shape, TILES, Tile, shape_of, tile_name};
use crate::rules::Proteus;
use crate::state::{NONE, State};
use crate::view::labels::{colour_name, counter_label, hand_cell, pool_cell, rule_name, shape_name};

/// A tile on a cell of the board or in the pool.
pub(crate) fn tile_piece(game: &Proteus, state: &State, tile: Tile, at: SmolStr) -> Shared<Piece> {
    static TILES_LAID: Interner<(Tile, Option<&str>, SmolStr), Piece> = Interner::new();
    let up = state.board.is_up(tile).then(|| game.faces.rule(tile));
    TILES_LAID.get((tile, up, at), |(_, _, at)| {
        let label = Text::new(if up.is_some() { "piece.tile.up" } else { "piece.tile.down" })
            .with("colour", colour_name(tile))
            .with("shape", shape_name(shape_of(tile)));
        let (symbol, label) = match up {
            Some(rule) => (format_smolstr!("tile-{}-up-{rule}", tile_name(tile)), label.with("rule", rule_name(rule))),
            None => (format_smolstr!("tile-{}", tile_name(tile)), label),
        };
        Piece { id: tile_name(tile), cell: at.clone(), symbol, label, level: 0, turn: 0, owner: None }
    })
}

/// A counter on a tile or in hand.
pub(crate) fn counter_piece(seat: Seat, shape: Shape, at: SmolStr, level: u8) -> Shared<Piece> {
    static COUNTERS: Interner<(Seat, Shape, SmolStr, u8), Piece> = Interner::new();
    COUNTERS.get((seat, shape, at, level), |(_, _, at, _)| {
        let letter = SHAPES[shape as usize];
        Piece {
            id: format_smolstr!("{seat}-{letter}"),
            cell: at.clone(),
            symbol: format_smolstr!("counter-{seat}-{letter}"),
            label: counter_label(seat, shape),
            level,
            turn: 0,
            owner: Some(seat),
        }
    })
}

pub(crate) fn pieces(game: &Proteus, state: &State) -> Vec<Shared<Piece>> {
    let mut pieces = Vec::new();
    for tile in 0..TILES {
        match state.board.cell_of(tile) {
            Some(cell) => pieces.push(tile_piece(game, state, tile, board::name(cell))),
            None if state.count.is_none() => pieces.push(tile_piece(game, state, tile, pool_cell(tile))),
            None => {}
        }
    }
    for counter in 0..6 {
        let (seat, shape) = (counter / 3, counter % 3);
        pieces.push(match state.board.counter_cell(counter) {
            NONE => counter_piece(seat, shape, hand_cell(seat, shape), 0),
            cell => counter_piece(seat, shape, board::name(cell), 1),
        });
    }
    pieces
}
