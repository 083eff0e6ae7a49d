//! Labels: seats, pieces and counts as translatable texts.

use tavola_core::{Seat, Text, format_smolstr};

use crate::components::Segment;
use crate::multiset::{GOODS, Goods, WORKERS, Workers};
use crate::prices::{CowTrade, PLACES};
use crate::rules::work::BANK;

/// The ids of the goods by lane. They must not differ by case alone.
pub(crate) const GOOD_IDS: [&str; GOODS.len()] = ["c", "cl", "s", "sl", "g", "v"];
/// The ids of the workers by lane.
pub(crate) const WORKER_IDS: [&str; WORKERS.len()] = ["n", "k", "y", "o"];

pub(crate) fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}

/// Returns a text with the name of a seat.
pub(crate) fn of_seat(key: &'static str, seat: Seat) -> Text {
    Text::new(key).with("seat", seat_name(seat))
}

pub(crate) fn good(lane: usize) -> Text {
    Text::new(format_smolstr!("good.{}", GOOD_IDS[lane]))
}

pub(crate) fn worker(lane: usize) -> Text {
    Text::new(format_smolstr!("worker.{}", WORKER_IDS[lane]))
}

/// Returns a count with its unit: `many.ID`.
fn many(id: &str, count: i64) -> Text {
    Text::new(format_smolstr!("many.{id}")).with("n", count)
}

pub(crate) fn silver(count: u8) -> Text {
    many("silver", count.into())
}

/// Joins one to four texts: "A, B and C".
fn list(things: Vec<Text>) -> Text {
    let list = Text::new(format_smolstr!("things.{}", things.len()));
    things.into_iter().zip(["a", "b", "c", "d"]).fold(list, |list, (thing, name)| list.with(name, thing))
}

pub(crate) fn goods(goods: Goods) -> Text {
    let kinds = goods.counts().into_iter().zip(GOOD_IDS).filter(|&(count, _)| count > 0);
    list(kinds.map(|(count, id)| many(id, count.into())).collect())
}

pub(crate) fn workers(workers: Workers) -> Text {
    list(worker_things(workers))
}

fn worker_things(workers: Workers) -> Vec<Text> {
    let kinds = workers.counts().into_iter().zip(WORKER_IDS).filter(|&(count, _)| count > 0);
    kinds.map(|(count, id)| many(id, count.into())).collect()
}

/// Names the two workers of a segment.
pub(crate) fn segment(segment: &Segment) -> Text {
    let mut things = worker_things(segment.workers);
    if segment.whites > 0 {
        things.push(many("w", segment.whites.into()));
    }
    list(things)
}

/// Names what a cow is traded for.
pub(crate) fn trade(trade: CowTrade, cow_silver: u8) -> Text {
    match trade {
        CowTrade::Good(lane) => many(GOOD_IDS[usize::from(lane)], 1),
        CowTrade::Silver => silver(cow_silver),
        CowTrade::Worker(lane) => many(WORKER_IDS[usize::from(lane)], 1),
    }
}

/// Names a work place within a sentence. The bank is one of them.
pub(crate) fn place(place: u8) -> Text {
    if place == BANK {
        Text::new("place.bank")
    } else {
        Text::new(format_smolstr!("place.{}", PLACES[usize::from(place)]))
    }
}

/// Names a work place as a heading.
pub(crate) fn heading(place: u8) -> Text {
    Text::new(format_smolstr!("area.{}", PLACES[usize::from(place)]))
}
