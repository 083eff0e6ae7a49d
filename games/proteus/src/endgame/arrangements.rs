//! The arrangements of the counters, and where moves and symmetries lead from each of them.

use std::sync::LazyLock;

use crate::board::{CELLS, Cell, SYMMETRIES};
use crate::frozen::{ARRANGEMENTS, arrangement, arrangement_number};
use crate::pieces::Shape;

/// A move of the movement phase: one of three counters to one of three empty cells.
pub(crate) const MOVES: usize = 9;

/// An arrangement of the counters. Those of the seat to act come first.
pub(crate) struct Arrangement {
    pub(crate) cells: [Cell; 6],
    pub(crate) empty: [Cell; 3],
    /// The number of the arrangement after each move, where the other seat comes first.
    pub(crate) after: [u16; MOVES],
    /// The number of the arrangement before each move of the other seat, from an empty cell.
    pub(crate) before: [u16; MOVES],
}

/// The counters by cells.
#[derive(Clone, Copy)]
pub(crate) struct Counters {
    /// The shape of the counter on each cell, 3 if there is none: two bits each.
    shapes: u32,
    /// The cells of each seat's counters.
    seats: [u16; 2],
}

/// All arrangements.
pub(crate) static LIST: LazyLock<Vec<Arrangement>> =
    LazyLock::new(|| (0..ARRANGEMENTS).map(|number| Arrangement::new(arrangement(number))).collect());

/// The counters of all arrangements.
pub(crate) static COUNTERS: LazyLock<Vec<Counters>> =
    LazyLock::new(|| (0..ARRANGEMENTS).map(|number| Counters::new(arrangement(number))).collect());

/// For each symmetry of the board and each arrangement, the number of the arrangement that it leads to, with the other seat first.
pub(crate) static TURNED: LazyLock<[Vec<u16>; 8]> = LazyLock::new(|| {
    SYMMETRIES.map(|to| {
        let turned = |number| swapped(arrangement(number)).map(|cell| to[usize::from(cell)]);
        (0..ARRANGEMENTS).map(|number| arrangement_number(turned(number)) as u16).collect()
    })
});

/// The cells with the other seat first.
fn swapped(mut cells: [Cell; 6]) -> [Cell; 6] {
    cells.rotate_left(3);
    cells
}

/// The number of the arrangement with one counter moved.
fn moved(mut cells: [Cell; 6], counter: usize, to: Cell, swap: bool) -> u16 {
    cells[counter] = to;
    arrangement_number(if swap { swapped(cells) } else { cells }) as u16
}

impl Arrangement {
    fn new(cells: [Cell; 6]) -> Self {
        let mut empty = (0..CELLS).filter(|cell| !cells.contains(cell));
        let empty = std::array::from_fn(|_| empty.next().expect("three cells are empty"));
        Self {
            cells,
            empty,
            after: std::array::from_fn(|number| moved(cells, number / 3, empty[number % 3], true)),
            before: std::array::from_fn(|number| moved(swapped(cells), number / 3, empty[number % 3], false)),
        }
    }
}

impl Counters {
    fn new(cells: [Cell; 6]) -> Self {
        let mut shapes = (1 << (2 * CELLS)) - 1;
        for (counter, cell) in (0..).zip(cells) {
            shapes ^= (3 ^ (counter % 3)) << (2 * cell);
        }
        Self { shapes, seats: [0, 3].map(|first| cells[first..first + 3].iter().fold(0, |set, cell| set | 1 << cell)) }
    }

    /// Whether a counter of this shape is on the cell.
    #[inline]
    pub(crate) fn has_shape(&self, cell: Cell, shape: Shape) -> bool {
        self.shapes >> (2 * cell) & 3 == u32::from(shape)
    }

    /// Whether one of the cells is under a counter of one seat, the other under one of the other seat.
    #[inline]
    pub(crate) fn has_both_seats(&self, one: Cell, other: Cell) -> bool {
        let [own, opposing] = self.seats;
        (own >> one & opposing >> other | own >> other & opposing >> one) & 1 == 1
    }

    /// The cells of a seat's counters: those of the seat to act are 0.
    #[inline]
    pub(crate) fn cells_of(&self, seat: usize) -> usize {
        self.seats[seat].into()
    }
}
