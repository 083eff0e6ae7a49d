//! A table of the course of all lines. It gives the passes of a line without a look at the tiles.
//!
//! A *point* is a cell with the side by which a line enters it, or the rim position where the line ends.

use crate::cells::{CELLS, Cell, Side, opposite};
use crate::rim::{self, BEYOND, MARKERS, RIM_POSITIONS, RimPosition, RimPositions};

use crate::tiles::{S, Shape};

/// Four per cell, then the rim positions, then padding of the last row.
type Point = u8;

const ROWS: usize = (CELLS + RIM_POSITIONS.div_ceil(4)) as usize;

/// The point of rim position 0.
const ENDS: Point = 4 * CELLS;

/// For every point the next one of the line, and the passes on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineTable {
    /// By cell and side. The end of a line leads to itself.
    next: [[Point; 4]; ROWS],
    passes: [[u8; 4]; ROWS],
}

/// The next point by cell, shape and side of entry.
static LEADS: [[[Point; 4]; 4]; CELLS as usize] = {
    let mut leads = [[[0; 4]; 4]; CELLS as usize];
    let mut cell = 0;
    while cell < CELLS {
        let mut shape: Shape = 0;
        while shape < 4 {
            let mut side: Side = 0;
            while side < 4 {
                let out = side ^ shape;
                let beyond = BEYOND[cell as usize][out as usize];
                leads[cell as usize][shape as usize][side as usize] =
                    if beyond < CELLS { 4 * beyond + opposite(out) } else { ENDS + (beyond - CELLS) };
                side += 1;
            }
            shape += 1;
        }
        cell += 1;
    }
    leads
};

/// The first point of the line from each position. Index 32 (the trailing zeros of an empty set) is an end.
static BEGINS: [Point; 33] = {
    let mut begins = [ENDS; 33];
    let mut position: RimPosition = 0;
    while position < RIM_POSITIONS {
        begins[position as usize] = 4 * rim::adjacent_cell(position) + rim::side_of(position);
        position += 1;
    }
    begins
};

impl LineTable {
    /// The table of the bare board.
    pub(crate) const BARE: Self = {
        let mut next = [[0; 4]; ROWS];
        let mut row = 0;
        while row < ROWS {
            let first = 4 * row as Point;
            next[row] = if first < ENDS { LEADS[row][S as usize] } else { [first, first + 1, first + 2, first + 3] };
            row += 1;
        }
        Self { next, passes: [[0; 4]; ROWS] }
    };

    /// Update a cell: its shape, its level and the code of its joint.
    #[inline]
    pub(crate) fn put(&mut self, cell: Cell, shape: Shape, height: u8, joint: u8) {
        let row = usize::from(cell);
        self.next[row] = LEADS[row][usize::from(shape)];
        // rules 15: both halves of a tile in one stretch count once
        self.passes[row] = std::array::from_fn(|side| if side == usize::from(joint) { 0 } else { height });
    }

    /// The passes of the lines that join two of a seat's markers (rules 14, 15).
    ///
    /// It traces all lines at once, because each step waits for a table look-up. So it traces every line that
    /// counts from both ends, and halves the sum.
    #[inline]
    pub(crate) fn passes(&self, markers: RimPositions) -> u32 {
        const LANES: usize = MARKERS as usize;
        let (next, passes) = (self.next.as_flattened(), self.passes.as_flattened());
        let mut rest = markers;
        let mut points: [Point; LANES] = std::array::from_fn(|_| {
            let position = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            BEGINS[position as usize]
        });
        let mut sums = [0; LANES];
        while points.iter().any(|&point| point < ENDS) {
            for (point, sum) in points.iter_mut().zip(&mut sums) {
                let here = usize::from(*point);
                *sum += u32::from(passes[here]);
                *point = next[here];
            }
        }
        let counts = |point: Point| markers >> (point - ENDS) & 1;
        points.iter().zip(sums).map(|(&point, sum)| counts(point) * sum).sum::<u32>() / 2
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Actor, Compiled, Game, Options, Playout, Random};

    use crate::lines;
    use crate::rules::Passtally;

    #[test]
    fn lines_pass_what_they_pass_step_by_step() {
        let game = Passtally::new(&Options::new(Passtally::INFO, [("players", "3")]).expect("valid options"));
        let mut random = Random::new(7);
        let mut passed = 0;
        for _ in 0..200 {
            let mut state = game.start();
            while game.to_act(&state) != Actor::Terminal {
                game.play_random_action(&mut state, &mut random);
                for markers in state.markers {
                    let expected: u32 = lines::joining(&state.board, markers).map(|(_, run)| run.passes).sum();
                    assert_eq!(state.board.passes(markers), expected, "{state:?}");
                    passed += expected;
                }
            }
        }
        assert!(passed > 10_000);
    }
}
