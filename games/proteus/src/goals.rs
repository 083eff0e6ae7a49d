//! The seats that satisfy the goal (rules 13), found with bit operations on whole sets of cells.

use tavola_core::Seat;

use crate::board::LINES;
use crate::pieces::{Faces, Goal};
use crate::state::{Board, FULL, SET, SIX, SIX_FULL};

/// The highest bit of each of six sets.
const TOPS: u64 = SIX << (SET - 1);

/// The sets of the colours, the lower three of six; above them are those of the shapes.
const COLOURS: u64 = (1 << (3 * SET)) - 1;

/// Marks a line, above the six sets.
const LINE: u64 = 1 << 63;

/// For each set of cells: if they are three the same six times over, and whether they are a line; else what no
/// colour's or shape's cells can be.
static THREES: [u64; 512] = {
    let mut threes = [SIX_FULL; 512];
    let mut cells = 0;
    while cells < 512usize {
        if cells.count_ones() == 3 {
            threes[cells] = cells as u64 * SIX;
        }
        cells += 1;
    }
    let mut line = 0;
    while line < LINES.len() {
        threes[LINES[line] as usize] |= LINE;
        line += 1;
    }
    threes
};

/// The mask of the goal, by the set of face-up yellow tiles (none or one).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goals([u64; 8]);

impl Goals {
    pub(crate) fn new(faces: &Faces) -> Self {
        let mut asked = [0; 8];
        for (shape, goal) in faces.goals.into_iter().enumerate() {
            asked[1 << shape] = match goal {
                Goal::Line => LINE,
                Goal::Color => TOPS & COLOURS,
                Goal::Shape => TOPS & !COLOURS,
            };
        }
        Self(asked)
    }

    /// Whether a seat with counters on exactly these cells satisfies the active goal.
    #[inline]
    pub(crate) fn satisfied(&self, board: &Board, cells: u16) -> bool {
        let three = THREES[usize::from(cells & FULL as u16)];
        // A counter stands on each tile of a colour if the colour's cells are the counters' cells: their difference is
        // the empty set. Adding all bits but its highest to a set carries into that bit unless it is empty.
        let lows = SIX_FULL & !TOPS;
        let differences = (board.tiles ^ three) & SIX_FULL;
        let some = differences | ((differences & lows) + lows);
        (!some & TOPS | three & LINE) & self.0[usize::from(board.ups() >> 6 & 7)] != 0
    }

    /// The seat that alone satisfies the active goal.
    #[inline]
    pub(crate) fn winner(&self, board: &Board) -> Option<Seat> {
        let [black, white] = [0, 1].map(|seat| self.satisfied(board, board.counters_of(seat)));
        if black == white { None } else { Some(Seat::from(white)) }
    }

    /// Whether both seats satisfy it.
    pub(crate) fn both(&self, board: &Board) -> bool {
        [0, 1].into_iter().all(|seat| self.satisfied(board, board.counters_of(seat)))
    }
}
