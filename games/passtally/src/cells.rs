//! The 36 cells of the board, their sides and the 60 pairs of neighbours (rules 1, 10).

use tavola_core::{SmolStr, format_smolstr};

/// A cell: 6 times its row, 0 for row `1`, plus its column, 0 for `a`.
pub(crate) type Cell = u8;

pub(crate) const SIZE: u8 = 6;
pub(crate) const CELLS: u8 = SIZE * SIZE;

/// A side of a cell: 0 north, 1 east, 2 south, 3 west.
pub(crate) type Side = u8;

pub(crate) const SIDES: [char; 4] = ['N', 'E', 'S', 'W'];

pub(crate) const fn opposite(side: Side) -> Side {
    side ^ 2
}

/// The cell beyond a side, on the board.
pub(crate) const fn neighbour(cell: Cell, side: Side) -> Option<Cell> {
    let (row, column) = (cell / SIZE, cell % SIZE);
    match side {
        0 if row + 1 < SIZE => Some(cell + SIZE),
        1 if column + 1 < SIZE => Some(cell + 1),
        2 if row > 0 => Some(cell - SIZE),
        3 if column > 0 => Some(cell - 1),
        _ => None,
    }
}

pub(crate) fn name(cell: Cell) -> SmolStr {
    format_smolstr!("{}{}", char::from(b'a' + cell % SIZE), cell / SIZE + 1)
}

pub(crate) fn parse(name: &str) -> Option<Cell> {
    let &[column @ b'a'..=b'f', row @ b'1'..=b'6'] = name.as_bytes() else { return None };
    Some((row - b'1') * SIZE + column - b'a')
}

/// The cells in the order of a position text, row 6 first.
pub(crate) fn in_text_order() -> impl Iterator<Item = Cell> {
    (0..CELLS).map(|number| (SIZE - 1 - number / SIZE) * SIZE + number % SIZE)
}

/// The letter of a direction in tokens and position texts.
pub(crate) fn direction_letter(side: Side) -> char {
    SIDES[side as usize].to_ascii_lowercase()
}

pub(crate) fn parse_direction(letter: char) -> Option<Side> {
    (0..4).find(|&side| direction_letter(side) == letter)
}

/// Two neighbouring cells. 0 to 29 are side by side, row by row; 30 to 59 are one above the other.
pub(crate) type Pair = u8;

pub(crate) const PAIRS: u8 = 2 * SIZE * (SIZE - 1);
const UPRIGHT: Pair = PAIRS / 2;

/// Whether the cells of the pair lie one above the other.
pub(crate) const fn is_upright(pair: Pair) -> bool {
    pair >= UPRIGHT
}

/// The cells of a pair: the western one first, or the northern one.
pub(crate) const fn cells_of(pair: Pair) -> (Cell, Cell) {
    if is_upright(pair) {
        let south = pair - UPRIGHT;
        (south + SIZE, south)
    } else {
        let west = pair / (SIZE - 1) * SIZE + pair % (SIZE - 1);
        (west, west + 1)
    }
}

/// The pair of a cell and its neighbour beyond a side.
pub(crate) const fn pair_of(cell: Cell, side: Side) -> Option<Pair> {
    let Some(other) = neighbour(cell, side) else { return None };
    let low = if other < cell { other } else { cell };
    Some(if side.is_multiple_of(2) { UPRIGHT + low } else { low / SIZE * (SIZE - 1) + low % SIZE })
}

/// The pairs that contain each cell, one bit per pair.
pub(crate) const PAIRS_AROUND: [u64; CELLS as usize] = {
    let mut around = [0; CELLS as usize];
    let mut pair = 0;
    while pair < PAIRS {
        let (one, other) = cells_of(pair);
        around[one as usize] |= 1 << pair;
        around[other as usize] |= 1 << pair;
        pair += 1;
    }
    around
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_read_from_the_sixth_row_down() {
        let names: Vec<_> = in_text_order().map(name).collect();
        assert_eq!((names[0].as_str(), names[5].as_str(), names[35].as_str()), ("a6", "f6", "f1"));
    }
}
