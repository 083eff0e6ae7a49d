//! Positions written as text (rules 20).

use tavola_core::format_smolstr;
use tavola_core::notation::PositionWriter;

use crate::board::{CELLS, Cell};
use crate::pieces::{COLOURS, OWNERS, SHAPES, colour_of, shape_of};
use crate::repetition::Position;
use crate::state::{Board, State};

/// The text of a position, with those that are past.
pub(crate) fn format_position(state: &State) -> String {
    let occurrences = state.repetition.occurrences();
    let mut to = PositionWriter::with_capacity(64 + ENTRY * occurrences.len());
    to.each('/', 0..CELLS, |to, cell| write_cell(&state.board, cell, to));
    to.add(format_args!(" {} ", OWNERS[state.seat as usize]));
    match state.count {
        Some(count) => to.add(format_args!("{count} ")),
        None => to.push_str("- "),
    }
    let mut past: Vec<_> = occurrences.into_iter().map(|(one, times)| write_past(one, times)).collect();
    past.sort_unstable();
    to.or_dash(|to| to.each('|', past, |to, one| to.push_str(&one)));
    to.into()
}

/// The maximum bytes of an earlier position, with its separator.
const ENTRY: usize = 36;

fn write_tile(board: &Board, cell: Cell, to: &mut impl Extend<char>) {
    match board.tile(cell) {
        Some(tile) => {
            to.extend([COLOURS[colour_of(tile) as usize], SHAPES[shape_of(tile) as usize]]);
            to.extend(board.is_up(tile).then_some('+'));
        }
        None => to.extend(['-']),
    }
}

fn write_cell(board: &Board, cell: Cell, to: &mut PositionWriter) {
    write_tile(board, cell, to);
    if let Some(counter) = board.counter(cell) {
        to.extend([':', OWNERS[(counter / 3) as usize], SHAPES[(counter % 3) as usize]]);
    }
}

/// An earlier position: its tiles, its counters (White's in capitals), the seat to act; and how often it occurred.
fn write_past(position: Position, times: usize) -> String {
    let (board, seat) = Board::of(position);
    let mut to = String::with_capacity(ENTRY);
    (0..CELLS).for_each(|cell| write_tile(&board, cell, &mut to));
    to.push(',');
    to.extend((0..CELLS).map(|cell| match board.counter(cell) {
        None => '-',
        Some(counter) if counter < 3 => SHAPES[counter as usize],
        Some(counter) => SHAPES[(counter - 3) as usize].to_ascii_uppercase(),
    }));
    to.extend([',', OWNERS[seat as usize], ',']);
    to.push_str(&format_smolstr!("{times}"));
    to
}
