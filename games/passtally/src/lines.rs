//! Lines over the board and their passes (rules 13-15).

use tavola_core::Seat;

use crate::board::Board;
use crate::cells::{CELLS, Cell, Side, opposite};
use crate::rim::{self, BEYOND, RimPosition, RimPositions};

/// The end and the passes of a traced line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TracedLine {
    /// Where it ends.
    pub(crate) end: RimPosition,
    /// Its passes (rules 15).
    pub(crate) passes: u32,
}

/// Trace the line from a position. `visit` receives each cell, the sides by which the line enters and
/// leaves it, and the passes that it adds.
#[inline]
pub(crate) fn follow(board: &Board, from: RimPosition, mut visit: impl FnMut(Cell, Side, Side, u32)) -> TracedLine {
    let (mut cell, mut side) = (rim::adjacent_cell(from), rim::side_of(from));
    let mut passes = 0;
    let mut same_tile = false;
    // A line visits a cell at most twice.
    for _ in 0..2 * CELLS {
        let top = board.top(cell);
        let added = if same_tile { 0 } else { u32::from(top.height()) };
        passes += added;
        let out = side ^ top.shape();
        visit(cell, side, out, added);
        let next = BEYOND[cell as usize][out as usize];
        if next >= CELLS {
            return TracedLine { end: next - CELLS, passes };
        }
        same_tile = top.joins(out);
        (cell, side) = (next, opposite(out));
    }
    unreachable!("every line ends on the rim (rules 13)")
}

/// The lines that join two of these positions, each with its start (rules 14).
pub(crate) fn joining(board: &Board, markers: RimPositions) -> impl Iterator<Item = (RimPosition, TracedLine)> {
    let mut rest = markers;
    std::iter::from_fn(move || {
        while rest != 0 {
            let from = rest.trailing_zeros() as RimPosition;
            rest &= rest - 1;
            let run = follow(board, from, |_, _, _, _| ());
            if rest >> run.end & 1 == 1 {
                rest &= !(1 << run.end);
                return Some((from, run));
            }
        }
        None
    })
}

/// The lines that join two markers of one seat, for all seats in order.
pub(crate) fn all_joining<'a>(
    board: &'a Board,
    markers: &'a [RimPositions],
) -> impl Iterator<Item = (Seat, RimPosition, TracedLine)> + 'a {
    (0..).zip(markers).flat_map(move |(seat, &own)| joining(board, own).map(move |(from, run)| (seat, from, run)))
}
