//! The 24 marker positions on the rim (rules 2, 11).

use crate::cells::{CELLS, Cell, SIZE, Side};
use tavola_core::{SmolStr, format_smolstr};

/// A position on the rim: 0 to 23, clockwise from `Na`, six on each side of the board.
pub(crate) type RimPosition = u8;

pub(crate) const RIM_POSITIONS: u8 = 4 * SIZE;

/// The number of rim markers per seat (rules 8).
pub(crate) const MARKERS: u8 = 4;

/// A set of rim positions, one bit each.
pub(crate) type RimPositions = u32;

const ALL: RimPositions = (1 << RIM_POSITIONS) - 1;

/// The side of the board that a position belongs to.
pub(crate) const fn side_of(position: RimPosition) -> Side {
    position / SIZE
}

/// The positions of one side.
pub(crate) const fn positions_on(side: Side) -> RimPositions {
    0b11_1111 << (side * SIZE)
}

/// The cell next to a position. A line from there enters the cell by the position's side.
pub(crate) const fn adjacent_cell(position: RimPosition) -> Cell {
    let along = position % SIZE;
    let back = SIZE - 1 - along;
    match side_of(position) {
        0 => (SIZE - 1) * SIZE + along,
        1 => back * SIZE + SIZE - 1,
        2 => back,
        _ => along * SIZE,
    }
}

/// The neighbour beyond each side of each cell: a cell, or [`CELLS`] plus a rim position.
pub(crate) const BEYOND: [[u8; 4]; CELLS as usize] = {
    let mut beyond = [[0; 4]; CELLS as usize];
    let mut cell = 0;
    while cell < CELLS {
        let mut side = 0;
        while side < 4 {
            if let Some(next) = crate::cells::neighbour(cell, side) {
                beyond[cell as usize][side as usize] = next;
            }
            side += 1;
        }
        cell += 1;
    }
    let mut position = 0;
    while position < RIM_POSITIONS {
        beyond[adjacent_cell(position) as usize][side_of(position) as usize] = CELLS + position;
        position += 1;
    }
    beyond
};

/// The number of steps that a marker can take: to the first or second free position in either direction (rules 11).
pub(crate) const STEPS: u32 = 4;

/// The target of a marker's step: 0 and 1 clockwise, 2 and 3 anticlockwise.
#[inline]
pub(crate) const fn step(from: RimPosition, step: u32, taken: RimPositions) -> RimPosition {
    // The rim as a row that starts with the next position clockwise.
    let start = (from as u32 + 1) % RIM_POSITIONS as u32;
    let free = !taken & ALL;
    let mut row = (free >> start | free << (RIM_POSITIONS as u32 - start)) & ALL;
    let along = if step < 2 {
        if step == 1 {
            row &= row - 1;
        }
        row.trailing_zeros()
    } else {
        if step == 3 {
            row &= !(1 << row.ilog2());
        }
        row.ilog2()
    };
    ((start + along) % RIM_POSITIONS as u32) as RimPosition
}

/// The free positions that a marker can reach.
pub(crate) fn reach(from: RimPosition, taken: RimPositions) -> RimPositions {
    (0..STEPS).fold(0, |reached, number| reached | 1 << step(from, number, taken))
}

/// The positions on the shorter way from one position to another, both included.
pub(crate) fn way(from: RimPosition, to: RimPosition) -> Vec<RimPosition> {
    let clockwise = (to + RIM_POSITIONS - from) % RIM_POSITIONS;
    let by = if clockwise <= RIM_POSITIONS / 2 { 1 } else { RIM_POSITIONS - 1 };
    let steps = clockwise.min(RIM_POSITIONS - clockwise);
    (0..=steps)
        .map(|walked| ((u16::from(from) + u16::from(walked) * u16::from(by)) % u16::from(RIM_POSITIONS)) as RimPosition)
        .collect()
}

/// The positions of a set, clockwise from `Na`.
pub(crate) fn each(places: RimPositions) -> impl Iterator<Item = RimPosition> {
    let mut rest = places;
    std::iter::from_fn(move || {
        let next = rest.trailing_zeros();
        rest &= rest.wrapping_sub(1);
        (next < 32).then_some(next as RimPosition)
    })
}

pub(crate) fn name(position: RimPosition) -> SmolStr {
    let (side, along) = (side_of(position), position % SIZE);
    let back = SIZE - 1 - along;
    let (letter, digit) = (|column| char::from(b'a' + column), |row| char::from(b'1' + row));
    match side {
        0 => format_smolstr!("N{}", letter(along)),
        1 => format_smolstr!("E{}", digit(back)),
        2 => format_smolstr!("S{}", letter(back)),
        _ => format_smolstr!("W{}", digit(along)),
    }
}

pub(crate) fn parse(name: &str) -> Option<RimPosition> {
    let &[side, along] = name.as_bytes() else { return None };
    let column = matches!(along, b'a'..=b'f').then(|| along.wrapping_sub(b'a'));
    let row = matches!(along, b'1'..=b'6').then(|| along.wrapping_sub(b'1'));
    match side {
        b'N' => Some(column?),
        b'E' => Some(SIZE + SIZE - 1 - row?),
        b'S' => Some(2 * SIZE + SIZE - 1 - column?),
        b'W' => Some(3 * SIZE + row?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ring_runs_clockwise() {
        let names: Vec<_> = (0..RIM_POSITIONS).map(name).collect();
        assert_eq!(names.join(" "), "Na Nb Nc Nd Ne Nf E6 E5 E4 E3 E2 E1 Sf Se Sd Sc Sb Sa W1 W2 W3 W4 W5 W6");
        for position in 0..RIM_POSITIONS {
            assert_eq!(parse(&name(position)), Some(position));
        }
    }

    #[test]
    fn markers_leap() {
        let at = |names: &[&str]| names.iter().fold(0, |places, name| places | 1 << parse(name).expect("a position"));
        let reached = |from: &str, taken| {
            each(reach(parse(from).expect("a position"), taken)).map(name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(reached("Na", at(&["Na"])), "Nb Nc W5 W6");
        assert_eq!(reached("Na", at(&["Na", "Nb", "Nd", "W6"])), "Nc Ne W4 W5");
        assert_eq!(reached("W6", at(&["W6"])), "Na Nb W4 W5");
    }
}
