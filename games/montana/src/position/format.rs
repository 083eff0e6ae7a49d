//! Writes a position as text (rules 55).

use tavola_core::notation::PositionWriter;

use crate::game::Montana;
use crate::map::{NO_HEX, SlotTile};
use crate::multiset::{GOODS, WORKERS};
use crate::prices::PLACES;
use crate::state::{Contractor, Holdings, Stage, State};

/// Writes the eleven fields into one buffer, because a server does this for every action.
pub(crate) fn write(game: &Montana, state: &State) -> String {
    let mut to = PositionWriter::with_capacity(320);
    let seats = 0..game.seat_count();
    to.push_str(&options(game));
    to.push(' ');
    to.each('/', &state.land.slots[..usize::from(game.map.slots)], |to, &laid| slot(game, laid, to));
    match state.land.start {
        NO_HEX => to.push_str(" - "),
        start => to.add(format_args!(" {} ", game.map.name(start))),
    }
    settlements(game, state, &mut to);
    to.push(' ');
    supply(state, &mut to);
    to.push(' ');
    to.each('/', &state.seats[seats.clone()], |to, seat| holdings(seat, to));
    to.push(' ');
    board(game, state, &mut to);
    to.push(' ');
    to.each('/', &state.contractors[seats], |to, &at| contractor(game, at, to));
    let extra_turn = if state.extra_turn { "+" } else { "" };
    to.add(format_args!(" {} {}{extra_turn} ", state.round, state.turn));
    stage(state.stage, &mut to);
    to.into()
}

/// Writes the options. The default of `sites` adds nothing.
pub(crate) fn options(game: &Montana) -> String {
    let grain = if game.second { "second" } else { "shift" };
    let sites = if game.any_site { "/any" } else { "" };
    format!("{}/{grain}{sites}", game.seats)
}

/// Writes each letter as often as its count, or a dash for none.
fn letters<const N: usize>(letters: [char; N], counts: [u8; N], to: &mut PositionWriter) {
    let letters = letters.into_iter().zip(counts).flat_map(|(letter, n)| std::iter::repeat_n(letter, n.into()));
    to.or_dash(|to| to.extend(letters));
}

fn slot(game: &Montana, laid: SlotTile, to: &mut PositionWriter) {
    let Some(tile) = laid.tile() else { return to.push('-') };
    to.push_str(&game.components.tiles[usize::from(tile)].name);
    if let Some(turn) = laid.turn() {
        to.add(format_args!("r{turn}"));
    }
}

fn settlements(game: &Montana, state: &State, to: &mut PositionWriter) {
    let settled = game.map.text_order.iter().filter_map(|&hex| Some((hex, state.land.owner(hex)?)));
    to.or_dash(|to| {
        to.each('/', settled, |to, (hex, owner)| {
            to.add(format_args!("{}={owner}x{}", game.map.name(hex), state.land.tiles(hex)));
        });
    });
}

fn supply(state: &State, to: &mut PositionWriter) {
    for (letter, count) in GOODS.into_iter().zip(state.supply.counts()) {
        to.add(format_args!("{letter}{count}"));
    }
    to.push('/');
    for (letter, count) in WORKERS.into_iter().zip(state.workers.counts()) {
        to.add(format_args!("{letter}{count}"));
    }
    to.add(format_args!("/{}", state.cows));
}

fn holdings(seat: &Holdings, to: &mut PositionWriter) {
    to.add(format_args!("{}:", seat.silver));
    letters(WORKERS, seat.workers.counts(), to);
    to.push(':');
    letters(GOODS, seat.goods.counts(), to);
    to.add(format_args!(":{}:{}", seat.cows, seat.canteens));
}

fn board(game: &Montana, state: &State, to: &mut PositionWriter) {
    let crew = |to: &mut PositionWriter, crew: u8| letters(WORKERS, game.tables.crews[usize::from(crew)].counts(), to);
    to.each(',', state.bank, crew);
    for place in 0..4 {
        to.push('/');
        to.each(',', 3 * place..3 * place + 3, |to, space: usize| {
            crew(to, state.left[space]);
            if state.right[space] != 0 {
                to.push('+');
                crew(to, state.right[space]);
            }
        });
    }
}

fn contractor(game: &Montana, contractor: Contractor, to: &mut PositionWriter) {
    match contractor {
        Contractor::Home => to.push('-'),
        Contractor::Passed => to.push('p'),
        Contractor::At(city_space) => {
            let (row, price) = game.city_space(city_space);
            to.add(format_args!("{}.{price}", row + 1));
        }
    }
}

/// Returns the name of a production space, such as `field3`.
pub(crate) fn space_name(space: u8) -> String {
    format!("{}{}", PLACES[usize::from(space / 3)], space % 3 + 1)
}

fn stage(stage: Stage, to: &mut PositionWriter) {
    match stage {
        Stage::Tile => to.push_str("tile"),
        Stage::Rot => to.push_str("rot"),
        Stage::Start => to.push_str("start"),
        Stage::Spin => to.push_str("spin"),
        Stage::Hire(segment, None) => to.add(format_args!("hire:{segment}")),
        Stage::Hire(segment, Some(second)) => to.add(format_args!("hire:{segment},{second}")),
        Stage::Main => to.push_str("main"),
        Stage::Shift(segment) => to.add(format_args!("shift:{segment}")),
        Stage::Extra(space) => to.add(format_args!("extra:{}", space_name(space))),
        Stage::Build(sites) => to.add(format_args!("build:{sites}")),
        Stage::End => to.push_str("end"),
        Stage::Bid(seat) => to.add(format_args!("bid:{seat}")),
        Stage::Reward(seat) => to.add(format_args!("reward:{seat}")),
        Stage::Over => to.push_str("over"),
    }
}
