//! The parts of the view beside the board: seats, supply and cards.

use tavola_core::view::{Card, Counter, SeatView};
use tavola_core::{Interner, Seat, Shared, SmolStr, Text, format_smolstr};

use super::board::pile_cell;
use super::labels::{seat_name, type_name};
use super::outcome::last_round;
use crate::actions::{PILES, PileIndex};
use crate::cells;
use crate::lines;
use crate::points;
use crate::rim::MARKERS;
use crate::rules::GOAL;
use crate::state::{PILE, Stage, State};
use crate::tiles::{COPIES, NAMES, TILE_TYPES, TileType};

fn counter(id: impl Into<SmolStr>, label: Text, value: i64, of: Option<i64>, symbol: impl Into<SmolStr>) -> Counter {
    Counter { id: id.into(), label, value, of, symbol: Some(symbol.into()) }
}

pub(crate) fn seat_view(state: &State, seat: Seat) -> SeatView {
    let (points, own) = (state.points[seat as usize], state.markers[seat as usize]);
    let scored = counter("points", Text::new("counter.points"), points.into(), Some(GOAL.into()), "point");
    let mut counters = vec![Shared::from(scored)];
    if matches!(state.stage, Stage::SetUp { .. }) {
        let left = i64::from(u32::from(MARKERS) - own.count_ones());
        let left = counter("markers", Text::new("counter.markers"), left, None, format_smolstr!("marker-{seat}"));
        counters.push(Shared::from(left));
    }
    SeatView { seat, name: seat_name(seat), symbol: format_smolstr!("seat-{seat}"), counters }
}

pub(crate) fn supply(state: &State) -> Vec<Shared<Counter>> {
    static LEFT: Interner<(PileIndex, u8), Counter> = Interner::new();
    static UNSEEN: Interner<(TileType, u8), Counter> = Interner::new();
    let piles = (0..PILES).map(|pile| {
        LEFT.get((pile, state.piles[pile as usize].tiles()), |&(_, tiles)| {
            let label = Text::new("counter.pile").with("n", i64::from(pile) + 1);
            counter(pile_cell(pile), label, tiles.into(), Some(PILE.into()), "pile")
        })
    });
    let unseen = (0..TILE_TYPES).map(|tile_type| {
        UNSEEN.get((tile_type, state.unseen[tile_type as usize]), |&(_, copies)| {
            let name = NAMES[tile_type as usize];
            let label = Text::new("counter.unseen").with("type", type_name(tile_type));
            let symbol = format_smolstr!("tile-{name}");
            counter(format_smolstr!("unseen-{name}"), label, copies.into(), Some(COPIES.into()), symbol)
        })
    });
    piles.chain(unseen).collect()
}

pub(crate) fn cards(state: &State) -> Vec<Card> {
    let own = state.markers[state.seat as usize];
    let passes = state.board.passes(own);
    let mut cells: Vec<SmolStr> = Vec::new();
    for (from, _) in lines::joining(&state.board, own) {
        lines::follow(&state.board, from, |cell, _, _, _| cells.push(cells::name(cell)));
    }
    cells.sort_unstable();
    cells.dedup();
    let card = |id: &str, text: Text, cells| Card {
        id: id.into(),
        symbol: format_smolstr!("card-{id}"),
        title: Text::new(format_smolstr!("card.{id}")),
        text,
        cells,
        links: Vec::new(),
    };
    let table = match state.stage {
        Stage::Turn { .. } => Text::new("card.table.text")
            .with("passes", i64::from(passes))
            .with("points", i64::from(points::points(passes))),
        Stage::SetUp { .. } | Stage::Over => Text::new("card.table.rule"),
    };
    let last = last_round(state).filter(|_| !state.is_over()).map(|why| card("last", why, Vec::new()));
    [card("table", table, cells)].into_iter().chain(last).collect()
}
