//! A gap-free number for every position of the movement phase, up to the board's symmetries and the swap of seats.
//!
//! Nine different tiles leave no layout unchanged by a symmetry, so the 9! layouts fall into 9!/8 = 45,360 classes of eight.
//! A position is a class, one of 60,480 arrangements of the counters and one of 27 facings: 74,071,065,600 in all.

use std::sync::LazyLock;

use crate::board::{Cell, SYMMETRIES};
use crate::frozen::{FACINGS, STATES, arrangement_number, board, facing_number};
use crate::pieces::Tile;
use crate::state::State;

/// Classes of tile layouts.
pub const LAYOUTS: usize = 45_360;

/// Positions of the movement phase, up to symmetry.
pub const POSITIONS: u64 = LAYOUTS as u64 * STATES as u64;

/// One layout of each class, and the class of every layout by its place in lexicographic order.
struct Layouts {
    list: Vec<[Tile; 9]>,
    numbers: Vec<u16>,
}

static CLASSES: LazyLock<Layouts> = LazyLock::new(|| {
    let mut classes = Layouts { list: Vec::with_capacity(LAYOUTS), numbers: vec![u16::MAX; 362_880] };
    for rank in 0..362_880 {
        let layout = unrank(rank);
        // The least of a class comes first.
        let least = moved_least(layout).1;
        if least == layout {
            classes.numbers[rank] = classes.list.len() as u16;
            classes.list.push(layout);
        } else {
            classes.numbers[rank] = classes.numbers[self::rank(least)];
        }
    }
    classes
});

/// The place of a layout in lexicographic order.
fn rank(layout: [Tile; 9]) -> usize {
    (0..9).fold(0, |rank, place| {
        let smaller = layout[place + 1..].iter().filter(|&&later| later < layout[place]).count();
        rank * (9 - place) + smaller
    })
}

fn unrank(mut rank: usize) -> [Tile; 9] {
    let mut digits = [0; 9];
    for place in (0..9).rev() {
        digits[place] = rank % (9 - place);
        rank /= 9 - place;
    }
    let mut left: Vec<Tile> = (0..9).collect();
    digits.map(|digit| left.remove(digit))
}

/// The symmetry that makes a layout the least of its class, and that layout.
fn moved_least(layout: [Tile; 9]) -> (usize, [Tile; 9]) {
    let moved = |symmetry: usize| {
        let mut moved = [0; 9];
        for (cell, tile) in layout.into_iter().enumerate() {
            moved[usize::from(SYMMETRIES[symmetry][cell])] = tile;
        }
        (symmetry, moved)
    };
    (0..8).map(moved).min_by_key(|&(_, layout)| layout).expect("eight symmetries")
}

/// The layout of a class.
pub(crate) fn layout(class: usize) -> [Tile; 9] {
    CLASSES.list[class]
}

/// The symmetry that leads from a layout to that of its class, and the class.
pub(crate) fn layout_class(layout: [Tile; 9]) -> (usize, usize) {
    (moved_least(layout).0, class_of(layout))
}

/// The class of a layout.
pub(crate) fn class_of(layout: [Tile; 9]) -> usize {
    CLASSES.numbers[rank(layout)].into()
}

/// The number of a position of the movement phase, the same for all that are equal up to symmetry.
///
/// `None` in the placement.
pub fn number(state: &State) -> Option<u64> {
    state.count?;
    let board = &state.board;
    let layout = std::array::from_fn(|cell| board.tile(cell as Cell).expect("every tile is down"));
    let (symmetry, class) = layout_class(layout);
    // The seat to act comes first.
    let cells = std::array::from_fn(|counter| {
        let owner = (counter as u8 / 3 + state.seat) % 2;
        SYMMETRIES[symmetry][usize::from(board.counter_cell(3 * owner + counter as u8 % 3))]
    });
    Some(class as u64 * STATES as u64 + (arrangement_number(cells) * FACINGS + facing_number(board)) as u64)
}

/// The position with this number, seat 0 to act, nothing earlier known.
///
/// # Panics
/// If the number is not below [`POSITIONS`].
pub fn position(number: u64) -> State {
    let (class, rest) = (number / STATES as u64, (number % STATES as u64) as usize);
    let board = board(layout(class as usize), rest);
    State::of(board, 0, Some(1))
}
