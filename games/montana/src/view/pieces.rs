//! The pieces on the board. Equal pieces are interned.

use tavola_core::view::Piece;
use tavola_core::{Interner, Seat, Shared, SmolStr, Text, format_smolstr};

use crate::crews::Crew;
use crate::game::Montana;
use crate::map::Hex;
use crate::prices::{CitySpace, Space};
use crate::state::{Contractor, Stage, State};
use crate::view::labels::{self, WORKER_IDS, of_seat};
use crate::view::layout;

fn piece(id: SmolStr, cell: SmolStr, symbol: SmolStr, label: Text) -> Piece {
    Piece { id, cell, symbol, label, level: 0, turn: 0, owner: None }
}

/// A cell for workers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum WorkSpace {
    Bank(u8),
    Left(Space),
    Right(Space),
}

impl WorkSpace {
    /// The workers on it.
    pub(crate) fn crew(self, state: &State) -> Crew {
        match self {
            Self::Bank(space) => state.bank[usize::from(space)],
            Self::Left(space) => state.left[usize::from(space)],
            Self::Right(space) => state.right[usize::from(space)],
        }
    }

    /// Its cell in the view.
    pub(crate) fn cell(self) -> SmolStr {
        match self {
            Self::Bank(space) => layout::bank_cell(space),
            Self::Left(space) => layout::left_cell(space),
            Self::Right(space) => layout::right_cell(space),
        }
    }
}

/// Returns all pieces, in drawing order.
pub(crate) fn all(game: &Montana, state: &State) -> Vec<Shared<Piece>> {
    GROUPS.into_iter().flat_map(|group| group.pieces(game, state)).collect()
}

/// Pieces that depend on the same part of the state.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Group {
    Map,
    Arrows,
    Contractors,
    Workers,
}

/// All groups, in drawing order.
pub(crate) const GROUPS: [Group; 4] = [Group::Map, Group::Arrows, Group::Contractors, Group::Workers];

impl Group {
    /// Whether its pieces are the same in two positions.
    pub(crate) fn is_unchanged(self, before: &State, after: &State) -> bool {
        match self {
            Self::Map => before.land == after.land,
            Self::Arrows => pointed(before) == pointed(after),
            Self::Contractors => before.contractors == after.contractors,
            Self::Workers => {
                let working = |state: &State| (state.bank, state.left, state.right);
                working(before) == working(after)
            }
        }
    }

    /// Returns its pieces, in drawing order.
    pub(crate) fn pieces(self, game: &Montana, state: &State) -> Vec<Shared<Piece>> {
        match self {
            Self::Map => on_the_map(game, state),
            Self::Arrows => arrows(game, state).collect(),
            Self::Contractors => {
                (0..game.seats).map(|seat| contractor(game, seat, state.contractors[usize::from(seat)])).collect()
            }
            Self::Workers => at_work(game, state),
        }
    }
}

fn at_work(game: &Montana, state: &State) -> Vec<Shared<Piece>> {
    let sides = |space| [WorkSpace::Left(space), WorkSpace::Right(space)];
    let spaces = (0..4).map(WorkSpace::Bank).chain((0..12).flat_map(sides));
    spaces
        .map(|space| (space, space.crew(state)))
        .filter(|&(_, working)| working != 0)
        .flat_map(|(space, working)| crew(game, space, working))
        .collect()
}

fn on_the_map(game: &Montana, state: &State) -> Vec<Shared<Piece>> {
    let land = &state.land;
    let settled = land.all_settled();
    let mut pieces = Vec::new();
    for hex in 0..game.map.hexes {
        if hex == land.start {
            pieces.push(marker(game, "start", hex));
        } else if let Some(owner) = land.owner(hex) {
            pieces.extend((0..land.tiles(hex)).map(|level| settlement(game, owner, hex, level)));
        } else if land.cows.contains(hex) {
            // rules 43: every free plain with a cow icon has its cow
            pieces.push(marker(game, "cow", hex));
        } else if land.lakes.contains(hex) && game.map.around[usize::from(hex)].and(settled).is_empty() {
            pieces.push(marker(game, "canteen", hex));
        }
    }
    pieces
}

/// Returns a piece placed in the set-up.
fn marker(game: &Montana, kind: &'static str, hex: Hex) -> Shared<Piece> {
    static MARKERS: Interner<(Seat, &'static str, Hex), Piece> = Interner::new();
    MARKERS.get((game.seats, kind, hex), |_| {
        let name = game.map.name(hex);
        let id = if kind == "start" { kind.into() } else { format_smolstr!("{kind}@{name}") };
        // A cow stands at the rim, so that the cost of the plain can be read.
        let symbol = if kind == "cow" { "cow-on-map" } else { kind };
        piece(id, name, symbol.into(), Text::new(format_smolstr!("piece.{kind}")))
    })
}

pub(crate) fn settlement(game: &Montana, owner: Seat, hex: Hex, level: u8) -> Shared<Piece> {
    static SETTLEMENTS: Interner<(Seat, Seat, Hex, u8), Piece> = Interner::new();
    SETTLEMENTS.get((game.seats, owner, hex, level), |_| {
        let name = game.map.name(hex);
        let label = of_seat("piece.settlement", owner).with("level", i64::from(level) + 1);
        Piece {
            level,
            owner: Some(owner),
            ..piece(format_smolstr!("{name}/{level}"), name, format_smolstr!("settlement-{owner}"), label)
        }
    })
}

/// The angle of the arrow at rest, between the last segment and the first.
const AT_REST: u16 = 338;

/// Returns the segments of the arrow and of the second arrow.
fn pointed(state: &State) -> (Option<u8>, Option<u8>) {
    match state.stage {
        Stage::Shift(segment) => (Some(segment), None),
        Stage::Hire(segment, second) => (Some(segment), second),
        _ => (None, None),
    }
}

/// Returns the arrow of the wheel, and the second one.
fn arrows(game: &Montana, state: &State) -> impl Iterator<Item = Shared<Piece>> {
    let (first, second) = pointed(state);
    let second = second.map(|segment| arrow(game, SECOND_ARROW, Some(segment)));
    std::iter::once(arrow(game, ARROW, first)).chain(second)
}

pub(crate) const ARROW: &str = "arrow";
/// The second arrow, of the published rule (rules 18).
pub(crate) const SECOND_ARROW: &str = "arrow-2";

/// Returns an arrow on a segment, or at rest.
pub(crate) fn arrow(game: &Montana, id: &'static str, segment: Option<u8>) -> Shared<Piece> {
    static ARROWS: Interner<(&'static str, Option<u8>), Piece> = Interner::new();
    ARROWS.get((id, segment), |_| {
        let label = segment.map_or(Text::new("piece.arrow.rest"), |segment| {
            Text::new("piece.arrow").with("pair", labels::segment(&game.components.wheel[usize::from(segment)]))
        });
        let turn = segment.map_or(AT_REST, |segment| 45 * u16::from(segment));
        Piece { turn, ..piece(id.into(), layout::HUB.into(), id.into(), label) }
    })
}

pub(crate) fn contractor(game: &Montana, seat: Seat, at: Contractor) -> Shared<Piece> {
    static CONTRACTORS: Interner<(Seat, Option<CitySpace>), Piece> = Interner::new();
    CONTRACTORS.get((seat, at.city_space()), |&(_, city_space)| {
        let cell =
            city_space.map_or_else(|| layout::store_cell(seat), |city_space| layout::city_cell(game, city_space));
        let name = format_smolstr!("contractor-{seat}");
        Piece { owner: Some(seat), ..piece(name.clone(), cell, name, of_seat("piece.contractor", seat)) }
    })
}

/// Returns the workers of a crew on a cell: one in the middle, two on the sides, or three in a row.
pub(crate) fn crew(game: &Montana, work_space: WorkSpace, crew: Crew) -> Vec<Shared<Piece>> {
    let workers = game.tables.crews[usize::from(crew)];
    let lanes = workers.counts().into_iter().enumerate();
    let lanes = lanes.flat_map(|(lane, count)| std::iter::repeat_n(lane, count.into()));
    let sides: &[&str] = match workers.total() {
        2 => &["-a", "-b"],
        3 => &["-a", "", "-b"],
        _ => &[""],
    };
    lanes.zip(sides).enumerate().map(|(number, (lane, side))| worker(work_space, number, lane, side)).collect()
}

fn worker(work_space: WorkSpace, number: usize, lane: usize, side: &'static str) -> Shared<Piece> {
    static WORKERS: Interner<(WorkSpace, usize, usize, &'static str), Piece> = Interner::new();
    WORKERS.get((work_space, number, lane, side), |_| {
        let (cell, id) = (work_space.cell(), WORKER_IDS[lane]);
        let label = Text::new(format_smolstr!("piece.worker.{id}"));
        piece(format_smolstr!("{cell}/{number}"), cell, format_smolstr!("worker-{id}{side}"), label)
    })
}

/// Returns a stack of settlement tiles of a seat on a hex.
pub(crate) fn settlements(game: &Montana, owner: Seat, hex: Hex, tiles: u8) -> Vec<Shared<Piece>> {
    (0..tiles).map(|level| settlement(game, owner, hex, level)).collect()
}
