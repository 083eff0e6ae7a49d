//! The nine cells, and the moves and lines between them.

use std::sync::LazyLock;

use tavola_core::{SmolStr, format_smolstr};

/// A cell's number: `a1` 0, `b1` 1, `c1` 2, `a2` 3, and so on (rules 1).
pub(crate) type Cell = u8;

/// A set of cells, one bit each.
pub(crate) type Cells = u16;

pub(crate) const CELLS: Cell = 9;

/// Rows, columns and diagonals (rules 13).
pub(crate) const LINES: [Cells; 8] = [
    0b000_000_111,
    0b000_111_000,
    0b111_000_000,
    0b001_001_001,
    0b010_010_010,
    0b100_100_100,
    0b100_010_001,
    0b001_010_100,
];

/// Where KING, ROOK and BISHOP/KNIGHT lead from each cell of an empty board (rules 12).
pub(crate) const MOVES: [[Cells; 9]; 3] = [moves(0), moves(1), moves(2)];

const fn moves(rule: u8) -> [Cells; 9] {
    let mut reach = [0; 9];
    let mut from = 0;
    while from < 9 {
        let mut to = 0;
        while to < 9 {
            let (rows, columns) = ((from / 3_u8).abs_diff(to / 3), (from % 3).abs_diff(to % 3));
            let aligned = rows == 0 || columns == 0;
            let joined = match rule {
                0 => rows <= 1 && columns <= 1,
                1 => aligned,
                _ => !aligned,
            };
            if joined && from != to {
                reach[from as usize] |= 1 << to;
            }
            to += 1;
        }
        from += 1;
    }
    reach
}

/// The cell's name: column, then row.
pub(crate) fn name(cell: Cell) -> SmolStr {
    format_smolstr!("{}{}", char::from(b'a' + cell % 3), cell / 3 + 1)
}

/// The cell with this name.
pub(crate) fn parse(name: &str) -> Option<Cell> {
    match name.as_bytes() {
        [column @ b'a'..=b'c', row @ b'1'..=b'3'] => Some(column - b'a' + 3 * (row - b'1')),
        _ => None,
    }
}

/// The place of a cell in the alphabetical order of names: by column, then row (rules 19).
pub(crate) const fn alphabetical(cell: Cell) -> u8 {
    cell % 3 * 3 + cell / 3
}

/// The cells of a set, lowest first.
pub(crate) fn each(mut cells: Cells) -> impl Iterator<Item = Cell> {
    std::iter::from_fn(move || {
        let lowest = (cells != 0).then(|| cells.trailing_zeros() as Cell);
        cells &= cells.wrapping_sub(1);
        lowest
    })
}

/// The same by the set of red tiles that are up, of which there is one, and with room for what is no cell: looked up without
/// a check.
pub(crate) static REACH: [[Cells; 16]; 8] = {
    let mut reach = [[0; 16]; 8];
    let mut rule = 0;
    while rule < 3 {
        let mut from = 0;
        while from < 9 {
            reach[1 << rule][from] = MOVES[rule][from];
            from += 1;
        }
        rule += 1;
    }
    reach
};

/// Where each of the eight symmetries takes each cell.
pub(crate) static SYMMETRIES: LazyLock<[[Cell; 9]; 8]> = LazyLock::new(|| {
    std::array::from_fn(|symmetry| {
        std::array::from_fn(|cell| {
            let (mut x, mut y) = (cell as u8 % 3, cell as u8 / 3);
            if symmetry & 1 != 0 {
                x = 2 - x;
            }
            if symmetry & 2 != 0 {
                y = 2 - y;
            }
            if symmetry & 4 != 0 {
                std::mem::swap(&mut x, &mut y);
            }
            x + 3 * y
        })
    })
});
