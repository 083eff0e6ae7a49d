//! The results of the first placements with best play: docs/explanation/proteus-solved.md.

use tavola_core::{Options, Seat, SeatSet};

use crate::board::Cell;
use crate::pieces::TILES;
use crate::state::State;

/// For each tile the result of its placement in a corner, on an edge and in the centre.
pub(crate) type FirstPlacements = [[WithBestPlay; 3]; TILES as usize];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WithBestPlay {
    WhiteWins,
    Drawn,
}

use WithBestPlay::{Drawn, WhiteWins};

const ARTICLE: FirstPlacements = [[Drawn; 3]; TILES as usize];

const KADON: FirstPlacements = [
    [Drawn, Drawn, Drawn],
    [Drawn, Drawn, Drawn],
    [Drawn, Drawn, Drawn],
    [Drawn, Drawn, WhiteWins],
    [Drawn, Drawn, Drawn],
    [WhiteWins, Drawn, WhiteWins],
    [Drawn, Drawn, Drawn],
    [Drawn, Drawn, WhiteWins],
    [Drawn, Drawn, WhiteWins],
];

const WHITE: Seat = 1;

/// The results with these options; `None` if they are not solved.
pub(crate) fn first_placements(options: &Options) -> Option<&'static FirstPlacements> {
    match (options.get("rules"), options.get("faces"), options.rules_version()) {
        ("article", "standard", 2) => Some(&ARTICLE),
        ("kadon", "standard", _) => Some(&KADON),
        _ => None,
    }
}

/// The winners of a position after the first placement; `None` for another position.
pub(crate) fn winners(results: &FirstPlacements, state: &State) -> Option<SeatSet> {
    let board = &state.board;
    let (tile, cell) = (0..TILES).find_map(|tile| Some((tile, board.cell_of(tile)?)))?;
    if state.seat != WHITE || board.left_to_place() != ALL - 1 || board.ups() != 0 {
        return None;
    }
    Some(match results[usize::from(tile)][kind(cell)] {
        WhiteWins => SeatSet::one(WHITE),
        Drawn => SeatSet::EMPTY,
    })
}

/// The pieces that are placed: nine tiles and six counters.
const ALL: u32 = 15;

/// 0 for a corner, 1 for an edge, 2 for the centre.
fn kind(cell: Cell) -> usize {
    match cell {
        4 => 2,
        cell => usize::from(cell % 2),
    }
}
