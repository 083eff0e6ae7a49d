//! The faults that make a position impossible (rules 20).

use std::collections::BTreeSet;
use std::sync::LazyLock;

use tavola_core::{PositionError, Seat, Text};

use super::fields::{CELL, COUNT, SEAT};
use crate::pieces::{COLOURS, OWNERS, tile_name};
use crate::preset::Preset;
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::state::Board;

pub(crate) fn check_count(game: &Proteus, board: &Board, count: Option<u16>, faults: &mut PositionError) {
    match count {
        None if board.is_full() => faults.add(COUNT, Text::new("fault.count.over")),
        Some(count) if !board.is_full() => {
            faults.add(COUNT, Text::new("fault.count.early").with("count", count));
        }
        Some(count) if count > MOST_ACTIONS => {
            faults.add(COUNT, Text::new("fault.count.limit").with("count", count).with("most", MOST_ACTIONS));
        }
        _ => {}
    }
    if count.is_some() && board.is_full() && !facings_are_possible(game, board) {
        faults.add(CELL, Text::new("fault.up"));
    }
}

/// Whether the facings are possible after the placement (rules 20).
pub(crate) fn facings_are_possible(game: &Proteus, board: &Board) -> bool {
    game.preset == Preset::Literal || (0..3).all(|colour| board.up(colour).is_some())
}

/// Checks what only the placement decides (rules 5, 7 to 10).
pub(crate) fn check_placement(game: &Proteus, board: &Board, seat: Option<Seat>, faults: &mut PositionError) {
    for colour in 0..3 {
        let match_of = |shape: u8| {
            let cell = board.cell_of(3 * colour + shape)?;
            board.counter(cell).filter(|counter| counter % 3 == shape)
        };
        let matches = (0..3).filter(|&shape| match_of(shape).is_some()).count();
        let letter = COLOURS[usize::from(colour)];
        match board.up(colour) {
            Some(shape) if match_of(shape).is_none() => {
                faults.add(CELL, Text::new("fault.match.none").with("tile", tile_name(3 * colour + shape)));
            }
            None if matches > 0 => faults.add(CELL, Text::new("fault.match.down").with("colour", letter)),
            _ => {}
        }
        if game.preset == Preset::Kadon && matches > 1 {
            faults.add(CELL, Text::new("fault.match.many").with("count", matches).with("colour", letter));
        }
    }
    if !board.rest().can_be_completed(game.preset) {
        faults.add(CELL, Text::new("fault.completion"));
    }
    let down = |seat: Seat| board.counters_of(seat).count_ones() as u8;
    let tiles = 9 - board.pool().count_ones() as u8;
    if let Some(seat) = seat.filter(|&seat| !TO_ACT.contains(&(tiles, [down(0), down(1)], seat))) {
        faults.add(SEAT, Text::new("fault.turn").with("seat", OWNERS[seat as usize]));
    }
}

/// The reachable triples: tiles down, counters down by seat, seat to act.
static TO_ACT: LazyLock<BTreeSet<(u8, [u8; 2], Seat)>> = LazyLock::new(|| {
    let mut reached = BTreeSet::new();
    let mut next = vec![(0, [0, 0], 0)];
    while let Some((tiles, down, seat)) = next.pop() {
        if !reached.insert((tiles, down, seat)) {
            continue;
        }
        let own = usize::from(seat);
        if tiles < 9 {
            next.push((tiles + 1, down, 1 - seat));
        }
        if down[own] < 3 && down[0] + down[1] < tiles {
            let mut more = down;
            more[own] += 1;
            next.push((tiles, more, 1 - seat));
        }
        if tiles == 9 && down[own] == 3 && down[1 - own] < 3 {
            next.push((tiles, down, 1 - seat)); // rules 7: the pass
        }
    }
    reached
});
