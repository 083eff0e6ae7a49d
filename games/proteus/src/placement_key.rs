//! A number for every position of the placement, the same for all that are equal up to the board's symmetries.
//!
//! Counters stand on tiles, so a symmetry changes the cells of the tiles and nothing else.

use std::sync::LazyLock;

use crate::board::{CELLS, SYMMETRIES};
use crate::pieces::{TILES, colour_of, tile};
use crate::state::{Board, State};

/// The bits of the cells of the tiles: nine decimal digits, where 9 stands for the pool.
const TILE_BITS: u32 = 30;

/// For each tile and cell, what the tile adds to the number of the layout under each symmetry.
static PARTS: LazyLock<[[[u32; 8]; CELLS as usize]; TILES as usize]> = LazyLock::new(|| {
    std::array::from_fn(|tile| {
        let unit = 10u32.pow(tile as u32);
        std::array::from_fn(|cell| SYMMETRIES.map(|to| unit * u32::from(to[cell])))
    })
});

/// The number of a position of the placement, the same for all that are equal up to symmetry.
pub fn key(state: &State) -> u64 {
    let board = &state.board;
    let mut layouts = [0u32; 8];
    for (one, parts) in (0..TILES).zip(PARTS.iter()) {
        match board.cell_of(one) {
            Some(cell) => layouts.iter_mut().zip(parts[usize::from(cell)]).for_each(|(sum, part)| *sum += part),
            None => layouts.iter_mut().for_each(|sum| *sum += 9 * 10u32.pow(one.into())),
        }
    }
    let layout = layouts.into_iter().min().expect("eight symmetries");
    let counters = (0..6).fold(0, |digits, counter| 10 * digits + u64::from(tile_under(board, counter)));
    let facings = (0..3).fold(0, |facings, colour| 4 * facings + board.up(colour).map_or(3, u64::from));
    ((counters << 6 | facings) << 1 | u64::from(state.seat)) << TILE_BITS | u64::from(layout)
}

/// The tile under a counter, 9 if it is in hand.
#[inline]
fn tile_under(board: &Board, counter: u8) -> u8 {
    let under = board.under(counter);
    if under == 0 {
        return TILES;
    }
    let within = |sets: [u16; 3]| (0..3).find(|&number| sets[usize::from(number)] & under != 0);
    let colour = within([0, 1, 2].map(|colour| board.coloured(colour)));
    let shape = within([0, 1, 2].map(|shape| board.shaped(shape)));
    let (Some(colour), Some(shape)) = (colour, shape) else { return TILES };
    debug_assert_eq!(colour_of(tile(colour, shape)), colour);
    tile(colour, shape)
}

/// The tile under each counter, those of the seat to act first. Every counter must be down.
pub(crate) fn tiles_under(state: &State) -> [u8; 6] {
    std::array::from_fn(|counter| {
        let owner = (counter as u8 / 3 + state.seat) % 2;
        tile_under(&state.board, 3 * owner + counter as u8 % 3)
    })
}
