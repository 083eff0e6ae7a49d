//! Writes a position as text (rules 22).

use tavola_core::notation::PositionWriter;

use crate::board::Board;
use crate::cells::{Cell, SIDES, SIZE, direction_letter};
use crate::rim;
use crate::rules::Passtally;
use crate::state::{Stage, State};
use crate::tiles::{NAMES, SHAPES};

pub(crate) fn format_position(game: &Passtally, state: &State) -> String {
    let seats = usize::from(game.seats);
    let mut to = PositionWriter::with_capacity(256);
    to.each('/', (0..SIZE).rev(), |to, row| {
        to.each(',', row * SIZE..(row + 1) * SIZE, |to, cell| write_cell(&state.board, cell, to));
    });
    to.push(' ');
    to.each(';', &state.markers[..seats], |to, &own| {
        to.or_dash(|to| to.each(',', rim::each(own), |to, place| to.push_str(&rim::name(place))));
    });
    to.push(' ');
    to.each(';', &state.points[..seats], |to, points| to.add(format_args!("{points}")));
    to.push(' ');
    to.each(';', &state.piles, |to, pile| {
        to.add(format_args!("{}{}", pile.face.map_or("-", |tile_type| NAMES[tile_type as usize]), pile.down));
    });
    to.push(' ');
    to.each(',', &state.unseen, |to, copies| to.add(format_args!("{copies}")));
    let last = if state.is_over() || Passtally::is_last_round(state) { "f" } else { "-" };
    match state.stage {
        Stage::Over => to.add(format_args!(" - - {last} -")),
        Stage::SetUp { placed, named } => {
            write_seat(state, &mut to);
            to.add(format_args!("u{placed}"));
            to.extend(named.iter().flatten().map(|&side| SIDES[side as usize]));
            to.add(format_args!(" {last} 0"));
        }
        Stage::Turn { taken } => {
            write_seat(state, &mut to);
            to.add(format_args!("{taken} {last} {}", state.idle));
        }
    }
    to.into()
}

fn write_cell(board: &Board, cell: Cell, to: &mut PositionWriter) {
    let top = board.top(cell);
    if top.height() == 0 {
        return to.push('-');
    }
    to.add(format_args!("{}{}", SHAPES[top.shape() as usize], top.height()));
    to.extend(top.joint().map(direction_letter));
}

/// Write the field of the seat to act.
fn write_seat(state: &State, to: &mut PositionWriter) {
    match state.due {
        Some(pile) => to.add(format_args!(" *{}:{} ", pile + 1, state.seat)),
        None => to.add(format_args!(" {} ", state.seat)),
    }
}
