//! The results of the first placements with best play, and replies that hold: docs/explanation/proteus-solved.md.

use tavola_core::{Options, Seat, SeatSet};

use crate::board::Cell;
use crate::pieces::TILES;
use crate::placement_key::key;
use crate::state::State;

/// For each tile the result of its placement in a corner, on an edge and in the centre.
type FirstPlacements = [[WithBestPlay; 3]; TILES as usize];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WithBestPlay {
    WhiteWins,
    Drawn,
}

use WithBestPlay::{Drawn, WhiteWins};

const ARTICLE_FIRST: FirstPlacements = [[Drawn; 3]; TILES as usize];

const KADON_FIRST: FirstPlacements = [
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

/// The known results of the first placements with some options.
#[derive(Debug)]
pub(crate) struct Openings {
    first: FirstPlacements,
    /// Positions after the second to fourth placement in which the seat that has just placed cannot be beaten. Each has eight
    /// bytes, in ascending order: twice its key, plus one if this seat wins. `--example placement` writes them.
    replies: &'static [u8],
}

/// The best that is known of the seat that has just placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reply {
    Holds,
    Wins,
}

static ARTICLE: Openings = Openings { first: ARTICLE_FIRST, replies: include_bytes!("../openings/article.bin") };

static KADON: Openings = Openings { first: KADON_FIRST, replies: include_bytes!("../openings/kadon.bin") };

const WHITE: Seat = 1;

impl Openings {
    /// The results with these options, if they are known.
    pub(crate) fn of(options: &Options) -> Option<&'static Self> {
        match (options.get("rules"), options.get("faces"), options.get("balance"), options.rules_version()) {
            ("article", "standard", "0", 2) => Some(&ARTICLE),
            ("kadon", "standard", "0", _) => Some(&KADON),
            _ => None,
        }
    }

    /// The winners of a position after the first placement, or after a known reply; `None` for another position.
    pub(crate) fn winners(&self, state: &State) -> Option<SeatSet> {
        let board = &state.board;
        match ALL - board.left_to_place() {
            1 if state.seat == WHITE && board.ups() == 0 => {
                let (tile, cell) = (0..TILES).find_map(|tile| Some((tile, board.cell_of(tile)?)))?;
                Some(match self.first[usize::from(tile)][kind(cell)] {
                    WhiteWins => SeatSet::one(WHITE),
                    Drawn => SeatSet::EMPTY,
                })
            }
            placed @ 2..=4 => match self.reply(state)? {
                Reply::Wins => Some(SeatSet::one(WHITE)),
                // White is known to win where it can, so a second placement that holds keeps a draw.
                Reply::Holds => (placed == 2).then_some(SeatSet::EMPTY),
            },
            _ => None,
        }
    }

    /// The reply that led to a position, if it is known.
    pub(crate) fn reply(&self, state: &State) -> Option<Reply> {
        let (key, entries) = (key(state), self.replies.as_chunks().0);
        let entry = |&bytes: &[u8; 8]| u64::from_le_bytes(bytes);
        let place = entries.binary_search_by_key(&key, |bytes| entry(bytes) >> 1).ok()?;
        Some(if entry(&entries[place]) & 1 == 1 { Reply::Wins } else { Reply::Holds })
    }
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
