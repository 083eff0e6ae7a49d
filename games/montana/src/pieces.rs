//! The pieces on the table.

use tavola_core::view::Piece;
use tavola_core::{Seat, Text};

use crate::actions::Crew;
use crate::land::Hex;
use crate::places;
use crate::rules::Montana;
use crate::said::{self, WORKER_IDS, of_seat};
use crate::state::{Contractor, Stage, State};

fn piece(id: String, cell: String, symbol: String, label: Text) -> Piece {
    Piece { id, cell, symbol, label, storey: 0, turn: 0, owner: None }
}

/// Everything that can move, in drawing order.
pub(crate) fn all(game: &Montana, state: &State) -> Vec<Piece> {
    let mut pieces = on_the_map(game, state);
    pieces.extend(arrows(game, state));
    pieces.extend((0..game.seats).map(|seat| contractor(game, seat, state.contractors[usize::from(seat)])));
    for space in 0..4 {
        pieces.extend(crew(game, &places::bank_cell(space), state.bank[usize::from(space)]));
    }
    for space in 0..12 {
        pieces.extend(crew(game, &places::left_cell(space), state.left[usize::from(space)]));
        pieces.extend(crew(game, &places::right_cell(space), state.right[usize::from(space)]));
    }
    pieces
}

fn on_the_map(game: &Montana, state: &State) -> Vec<Piece> {
    let land = &state.land;
    let settled = land.all_settled();
    let mut pieces = Vec::new();
    for hex in 0..game.map.hexes {
        let name = game.map.name(hex);
        if hex == land.start {
            pieces.push(piece("start".to_owned(), name, "start".to_owned(), Text::new("piece.start")));
        } else if let Some(owner) = land.owner(hex) {
            pieces.extend((0..land.tiles(hex)).map(|storey| settlement(game, owner, hex, storey)));
        } else if land.cows.contains(hex) {
            // rules 43: a cow lies on every free plain with a cow
            pieces.push(piece(format!("cow@{name}"), name, "cow".to_owned(), Text::new("piece.cow")));
        } else if land.lakes.contains(hex) && game.map.around[usize::from(hex)].and(settled).is_empty() {
            pieces.push(piece(format!("canteen@{name}"), name, "canteen".to_owned(), Text::new("piece.canteen")));
        }
    }
    pieces
}

pub(crate) fn settlement(game: &Montana, owner: Seat, hex: Hex, storey: u8) -> Piece {
    let name = game.map.name(hex);
    let label = of_seat("piece.settlement", owner).with("storey", i64::from(storey) + 1);
    Piece {
        storey,
        owner: Some(owner),
        ..piece(format!("{name}/{storey}"), name, format!("settlement-{owner}"), label)
    }
}

/// Where the arrow lies while it points to nothing: between the last segment and the first.
const AT_REST: u16 = 338;

/// The arrow of the wheel, which turns about its hub, and the second one.
fn arrows(game: &Montana, state: &State) -> Vec<Piece> {
    match state.stage {
        Stage::Shift(segment) | Stage::Hire(segment, None) => vec![arrow(game, ARROW, segment)],
        Stage::Hire(segment, Some(second)) => vec![arrow(game, ARROW, segment), arrow(game, SECOND_ARROW, second)],
        _ => {
            let label = Text::new("piece.arrow.rest");
            vec![Piece { turn: AT_REST, ..piece(ARROW.to_owned(), places::HUB.to_owned(), ARROW.to_owned(), label) }]
        }
    }
}

pub(crate) const ARROW: &str = "arrow";
/// What grain pays for under the published rule (rules 18).
pub(crate) const SECOND_ARROW: &str = "arrow-2";

pub(crate) fn arrow(game: &Montana, id: &str, segment: u8) -> Piece {
    let pair = said::segment(&game.data.wheel[usize::from(segment)]);
    let label = Text::new("piece.arrow").with("pair", pair);
    Piece { turn: 45 * u16::from(segment), ..piece(id.to_owned(), places::HUB.to_owned(), id.to_owned(), label) }
}

pub(crate) fn contractor(game: &Montana, seat: Seat, at: Contractor) -> Piece {
    let cell = at.stall().map_or_else(|| places::store_cell(seat), |stall| places::stall_cell(game, stall));
    let name = format!("contractor-{seat}");
    Piece { owner: Some(seat), ..piece(name.clone(), cell, name, of_seat("piece.contractor", seat)) }
}

/// The workers of a crew on a cell: one stands in the middle, two on both sides, three everywhere.
pub(crate) fn crew(game: &Montana, cell: &str, crew: Crew) -> Vec<Piece> {
    let workers = game.tables.crews[usize::from(crew)];
    let lanes: Vec<usize> = workers
        .counts()
        .into_iter()
        .enumerate()
        .flat_map(|(lane, count)| std::iter::repeat_n(lane, count.into()))
        .collect();
    let sides: &[&str] = match lanes.len() {
        2 => &["-a", "-b"],
        3 => &["-a", "", "-b"],
        _ => &[""],
    };
    let standing = lanes.into_iter().zip(sides).enumerate();
    standing
        .map(|(number, (lane, side))| {
            let id = WORKER_IDS[lane];
            let label = Text::new(format!("piece.worker.{id}"));
            piece(format!("{cell}/{number}"), cell.to_owned(), format!("worker-{id}{side}"), label)
        })
        .collect()
}

/// The settlements of a seat that would stand on a hex, one upon the other.
pub(crate) fn settlements(game: &Montana, owner: Seat, hex: Hex, tiles: u8) -> Vec<Piece> {
    (0..tiles).map(|storey| settlement(game, owner, hex, storey)).collect()
}
