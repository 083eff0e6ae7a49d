//! Positions as text: writing (rules 55).

use std::fmt::Write;

use crate::bag::{GOODS, WORKERS};
use crate::data::PLACES;
use crate::land::{Laid, NOWHERE};
use crate::rules::Montana;
use crate::state::{Contractor, Holdings, Stage, State};

/// The position as eleven fields. A server writes it for every action: into one text, which seldom has to grow.
pub(crate) fn write(game: &Montana, state: &State) -> String {
    let mut to = Text(String::with_capacity(320));
    let seats = 0..game.seat_count();
    to.add(format_args!("{}/{} ", game.seats, if game.second { "second" } else { "shift" }));
    to.each("/", &state.land.slots[..usize::from(game.map.slots)], |to, &laid| slot(game, laid, to));
    match state.land.start {
        NOWHERE => to.0.push_str(" - "),
        start => to.add(format_args!(" {} ", game.map.name(start))),
    }
    settlements(game, state, &mut to);
    to.0.push(' ');
    supply(state, &mut to);
    to.0.push(' ');
    to.each("/", &state.seats[seats.clone()], |to, seat| holdings(seat, to));
    to.0.push(' ');
    board(game, state, &mut to);
    to.0.push(' ');
    to.each("/", &state.contractors[seats], |to, &at| contractor(game, at, to));
    let again = if state.again { "+" } else { "" };
    to.add(format_args!(" {} {}{again} ", state.round, state.turn));
    stage(state.stage, &mut to);
    to.0
}

/// A text that is being written.
struct Text(String);

impl Text {
    fn add(&mut self, what: std::fmt::Arguments<'_>) {
        self.0.write_fmt(what).expect("texts can be added to");
    }

    /// Several things, with something between them.
    fn each<T>(&mut self, between: &str, things: impl IntoIterator<Item = T>, mut one: impl FnMut(&mut Self, T)) {
        for (number, thing) in things.into_iter().enumerate() {
            if number > 0 {
                self.0.push_str(between);
            }
            one(self, thing);
        }
    }

    /// So many of each letter; a dash if there are none at all.
    fn letters<const N: usize>(&mut self, letters: [char; N], counts: [u8; N]) {
        let began = self.0.len();
        self.0.extend(letters.into_iter().zip(counts).flat_map(|(letter, n)| std::iter::repeat_n(letter, n.into())));
        if self.0.len() == began {
            self.0.push('-');
        }
    }
}

fn slot(game: &Montana, laid: Laid, to: &mut Text) {
    let Some(tile) = laid.tile() else { return to.0.push('-') };
    to.0.push_str(&game.data.tiles[usize::from(tile)].name);
    if let Some(turn) = laid.turn() {
        to.add(format_args!("r{turn}"));
    }
}

fn settlements(game: &Montana, state: &State, to: &mut Text) {
    let began = to.0.len();
    let settled = game.map.text_order.iter().filter_map(|&hex| Some((hex, state.land.owner(hex)?)));
    to.each("/", settled, |to, (hex, owner)| {
        to.add(format_args!("{}={owner}x{}", game.map.name(hex), state.land.tiles(hex)));
    });
    if to.0.len() == began {
        to.0.push('-');
    }
}

fn supply(state: &State, to: &mut Text) {
    for (letter, count) in GOODS.into_iter().zip(state.supply.counts()) {
        to.add(format_args!("{letter}{count}"));
    }
    to.0.push('/');
    for (letter, count) in WORKERS.into_iter().zip(state.workers.counts()) {
        to.add(format_args!("{letter}{count}"));
    }
    to.add(format_args!("/{}", state.cows));
}

fn holdings(seat: &Holdings, to: &mut Text) {
    to.add(format_args!("{}:", seat.silver));
    to.letters(WORKERS, seat.workers.counts());
    to.0.push(':');
    to.letters(GOODS, seat.goods.counts());
    to.add(format_args!(":{}:{}", seat.cows, seat.canteens));
}

fn board(game: &Montana, state: &State, to: &mut Text) {
    let crew = |to: &mut Text, crew: u8| to.letters(WORKERS, game.tables.crews[usize::from(crew)].counts());
    to.each(",", state.bank, crew);
    for place in 0..4 {
        to.0.push('/');
        to.each(",", 3 * place..3 * place + 3, |to, space: usize| {
            crew(to, state.left[space]);
            if state.right[space] != 0 {
                to.0.push('+');
                crew(to, state.right[space]);
            }
        });
    }
}

fn contractor(game: &Montana, contractor: Contractor, to: &mut Text) {
    match contractor {
        Contractor::Home => to.0.push('-'),
        Contractor::Passed => to.0.push('p'),
        Contractor::At(stall) => {
            let (row, price) = game.stall(stall);
            to.add(format_args!("{}.{price}", row + 1));
        }
    }
}

/// The name of a space of production: `field3`.
pub(crate) fn space_name(space: u8) -> String {
    format!("{}{}", PLACES[usize::from(space / 3)], space % 3 + 1)
}

fn stage(stage: Stage, to: &mut Text) {
    match stage {
        Stage::Tile => to.0.push_str("tile"),
        Stage::Rot => to.0.push_str("rot"),
        Stage::Start => to.0.push_str("start"),
        Stage::Spin => to.0.push_str("spin"),
        Stage::Hire(segment, None) => to.add(format_args!("hire:{segment}")),
        Stage::Hire(segment, Some(second)) => to.add(format_args!("hire:{segment},{second}")),
        Stage::Main => to.0.push_str("main"),
        Stage::Shift(segment) => to.add(format_args!("shift:{segment}")),
        Stage::Extra(space) => to.add(format_args!("extra:{}", space_name(space))),
        Stage::Build(sites) => to.add(format_args!("build:{sites}")),
        Stage::End => to.0.push_str("end"),
        Stage::Bid(seat) => to.add(format_args!("bid:{seat}")),
        Stage::Reward(seat) => to.add(format_args!("reward:{seat}")),
        Stage::Over => to.0.push_str("over"),
    }
}
