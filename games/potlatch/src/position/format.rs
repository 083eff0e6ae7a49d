//! Writes a position as text (rules 13).

use tavola_core::notation::PositionWriter;

use crate::state::{Start, State};

pub(crate) fn format_position(state: &State) -> String {
    let order = state.order();
    let place = |tile: u8| state.places[tile as usize];
    let stacks = |to: &mut PositionWriter, start: Start, bare: bool| {
        let stacks = order.iter().map(|&tile| (place(tile), start.stacks().code(tile)));
        to.each(';', stacks.filter(|&(_, code)| bare || code > 0), |to, (place, code)| match code {
            4 => to.add(format_args!("{place}:3r")),
            5 => to.add(format_args!("{place}:3b")),
            height => to.add(format_args!("{place}:{height}")),
        });
    };
    let pawns = |to: &mut PositionWriter, start: Start| {
        let [red, blue] = start.pawns().map(place);
        to.add(format_args!("{red};{blue}"));
    };
    let now = Start::new(state.stacks, state.pawns);
    let mut to = PositionWriter::with_capacity(256);
    stacks(&mut to, now, true);
    to.push(' ');
    pawns(&mut to, now);
    to.add(format_args!(" {} {} ", if state.seat() == 0 { 'R' } else { 'B' }, state.taken));
    to.each(';', state.path(), |to, &tile| to.add(format_args!("{}", place(tile))));
    to.add(format_args!(" {} {} ", state.run.len(), state.turns));
    to.or_dash(|to| {
        to.each('|', &state.past, |to, &start| {
            stacks(to, start, false);
            to.push('@');
            pawns(to, start);
        });
    });
    to.into()
}
