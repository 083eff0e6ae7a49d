//! A position: the marks of both seats.

use tavola_core::Seat;

/// The number of squares. In a set of squares, a1 is bit 0, b1 bit 1 and a2 bit 3.
pub(crate) const SQUARES: u8 = 9;
const ALL: u16 = 0b111_111_111;

/// Rows, columns and diagonals (rules 4).
pub(crate) const LINES: [u16; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// The marks of both seats, one set of squares each.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub(crate) marks: [u16; 2],
}

impl State {
    /// The number of marks.
    pub(crate) const fn count(&self) -> u32 {
        (self.marks[0] | self.marks[1]).count_ones()
    }

    /// The seat whose turn it is. Seats alternate (rules 3).
    pub(crate) const fn seat(&self) -> Seat {
        (self.count() % 2) as Seat
    }

    /// The squares without a mark.
    pub(crate) const fn empty(&self) -> u16 {
        !(self.marks[0] | self.marks[1]) & ALL
    }

    /// Whether a seat has three in a line (rules 4).
    pub(crate) fn has_line(&self, seat: Seat) -> bool {
        let own = self.marks[seat as usize];
        LINES.iter().any(|line| own & line == *line)
    }
}
