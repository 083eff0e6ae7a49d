//! Positions as text: writing (rules 55).

use crate::bag::{GOODS, Goods, WORKERS, Workers};
use crate::data::PLACES;
use crate::land::Laid;
use crate::rules::Montana;
use crate::state::{Contractor, Holdings, Stage, State};

/// The position as eleven fields.
pub(crate) fn write(game: &Montana, state: &State) -> String {
    let seats = 0..game.seat_count();
    let start = match game.map.coordinates.get(usize::from(state.land.start)) {
        Some(_) => game.map.name(state.land.start).into(),
        None => "-".to_owned(),
    };
    let fields = [
        format!("{}/{}", game.seats, if game.second { "second" } else { "shift" }),
        join(state.land.slots[..usize::from(game.map.slots)].iter().map(|&laid| slot(game, laid))),
        start,
        settlements(game, state),
        supply(state),
        join(state.seats[seats.clone()].iter().map(holdings)),
        board(game, state),
        join(seats.map(|seat| contractor(game, state.contractors[seat]))),
        state.round.to_string(),
        format!("{}{}", state.turn, if state.again { "+" } else { "" }),
        stage(state.stage),
    ];
    fields.join(" ")
}

fn join(items: impl Iterator<Item = String>) -> String {
    items.collect::<Vec<_>>().join("/")
}

fn or_dash(text: String) -> String {
    if text.is_empty() { "-".to_owned() } else { text }
}

fn slot(game: &Montana, laid: Laid) -> String {
    let Some(tile) = laid.tile() else { return "-".to_owned() };
    let turn = laid.turn().map_or_else(String::new, |turn| format!("r{turn}"));
    game.data.tiles[usize::from(tile)].name.clone() + &turn
}

fn settlements(game: &Montana, state: &State) -> String {
    let settled = game.map.text_order.iter().filter_map(|&hex| {
        let owner = state.land.owner(hex)?;
        Some(format!("{}={owner}x{}", game.map.name(hex), state.land.tiles(hex)))
    });
    or_dash(join(settled))
}

fn counted<const N: usize>(letters: [char; N], counts: [u8; N]) -> String {
    let items: Vec<String> = letters.iter().zip(counts).map(|(letter, count)| format!("{letter}{count}")).collect();
    items.concat()
}

fn supply(state: &State) -> String {
    let (goods, workers) = (counted(GOODS, state.supply.counts()), counted(WORKERS, state.workers.counts()));
    format!("{goods}/{workers}/{}", state.cows)
}

fn goods(goods: Goods) -> String {
    or_dash(goods.letters())
}

fn workers(workers: Workers) -> String {
    or_dash(workers.letters())
}

fn holdings(seat: &Holdings) -> String {
    format!("{}:{}:{}:{}:{}", seat.silver, workers(seat.workers), goods(seat.goods), seat.cows, seat.canteens)
}

fn board(game: &Montana, state: &State) -> String {
    let crew = |crew: u8| workers(game.tables.crews[usize::from(crew)]);
    let side = |space: usize| match (state.left[space], state.right[space]) {
        (left, 0) => crew(left),
        (left, right) => format!("{}+{}", crew(left), crew(right)),
    };
    let places = (0..4).map(|place| [0, 1, 2].map(|number| side(place * 3 + number)).join(","));
    join(std::iter::once(state.bank.map(crew).join(",")).chain(places))
}

fn contractor(game: &Montana, contractor: Contractor) -> String {
    match contractor {
        Contractor::Home => "-".to_owned(),
        Contractor::Passed => "p".to_owned(),
        Contractor::At(stall) => {
            let (row, price) = game.stall(stall);
            format!("{}.{price}", row + 1)
        }
    }
}

/// The name of a space of production: `field3`.
pub(crate) fn space_name(space: u8) -> String {
    format!("{}{}", PLACES[usize::from(space / 3)], space % 3 + 1)
}

fn stage(stage: Stage) -> String {
    match stage {
        Stage::Tile => "tile".to_owned(),
        Stage::Rot => "rot".to_owned(),
        Stage::Start => "start".to_owned(),
        Stage::Spin => "spin".to_owned(),
        Stage::Hire(segment, None) => format!("hire:{segment}"),
        Stage::Hire(segment, Some(second)) => format!("hire:{segment},{second}"),
        Stage::Main => "main".to_owned(),
        Stage::Shift(segment) => format!("shift:{segment}"),
        Stage::Extra(space) => format!("extra:{}", space_name(space)),
        Stage::Build(sites) => format!("build:{sites}"),
        Stage::End => "end".to_owned(),
        Stage::Bid(seat) => format!("bid:{seat}"),
        Stage::Reward(seat) => format!("reward:{seat}"),
        Stage::Over => "over".to_owned(),
    }
}
