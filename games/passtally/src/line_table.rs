//! Where lines go, as a table that is followed without looking at tiles: what tells a line's worth fast.
//!
//! A *point* is a cell and the side by which a line enters it, or a position on the rim, where the line ends.

use crate::cells::{CELLS, Cell, Side, opposite};
use crate::rim::{self, BEYOND, MARKERS, RIM_POSITIONS, RimPosition, RimPositions};

use crate::tiles::{S, Shape};

/// Four for each cell, then the positions, then some that fill up the last row.
type Point = u8;

const ROWS: usize = (CELLS + RIM_POSITIONS.div_ceil(4)) as usize;

/// The point of position 0.
const ENDS: Point = 4 * CELLS;

/// For every point the next one of the line, and what it passes on the way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineTable {
    /// By cell and side; the end of a line leads to itself.
    next: [[Point; 4]; ROWS],
    passes: [[u8; 4]; ROWS],
}

/// Where the sides of each cell lead, by the shape that lies there.
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

/// The point at which a line from each position begins. No position, as the number of zeros before no bit: an end.
static BEGINS: [Point; 33] = {
    let mut begins = [ENDS; 33];
    let mut place: RimPosition = 0;
    while place < RIM_POSITIONS {
        begins[place as usize] = 4 * rim::adjacent_cell(place) + rim::side_of(place);
        place += 1;
    }
    begins
};

impl LineTable {
    /// Those of the bare board.
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

    /// What a cell shows now: its shape, level, and the side on which it is joined, if it is.
    #[inline]
    pub(crate) fn put(&mut self, cell: Cell, shape: Shape, height: u8, joint: u8) {
        let row = usize::from(cell);
        self.next[row] = LEADS[row][usize::from(shape)];
        // rules 15: a tile that is passed twice in a row counts once
        self.passes[row] = std::array::from_fn(|side| if side == usize::from(joint) { 0 } else { height });
    }

    /// The passes of the lines that join two of a seat's markers (rules 14, 15).
    ///
    /// All lines are followed at once, for the processor waits at every step of each; so every line that counts is
    /// followed from both ends.
    #[inline]
    pub(crate) fn passes(&self, markers: RimPositions) -> u32 {
        const LANES: usize = MARKERS as usize;
        let (next, passes) = (self.next.as_flattened(), self.passes.as_flattened());
        let mut rest = markers;
        let mut points: [Point; LANES] = std::array::from_fn(|_| {
            let place = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            BEGINS[place as usize]
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
    use tavola_core::{Actor, Game, Options, Playout, Random};

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
