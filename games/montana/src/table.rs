//! The table: every cell of it, with what is printed and written there.

use tavola_core::view::{ActionView, Area, Cell, Count, Line, Mark, Shape};
use tavola_core::{Seat, Text};

use crate::bag::{GRAIN, Goods};
use crate::data::{Data, Ground, PLACES};
use crate::land::{Hex, HexSet, NOWHERE};
use crate::places::{self, COLUMNS, SUPPLY_COLUMNS};
use crate::rules::Montana;
use crate::said::{self, GOOD_IDS, WORKER_IDS, of_seat};
use crate::state::{Contractor, Stage, State};

/// The largest number that has a symbol.
const MOST_COUNTED: u32 = 99;

fn cell(id: String, (x, y): (f64, f64), symbol: String, label: Text) -> Cell {
    Cell { id, x, y, symbol: Some(symbol), label, marks: Vec::new(), value: None, part_of: None }
}

fn area(id: &str, shape: Shape, cells: Vec<Cell>) -> Area {
    Area { id: id.to_owned(), shape, label: Text::new(format!("area.{id}")), cells }
}

/// All areas; the hand is that of a seat. Each is one that a narrow screen may put elsewhere.
pub(crate) fn areas(game: &Montana, state: &State, hand: Seat) -> Vec<Area> {
    let mut areas = vec![
        area("map", Shape::Hex, map(game, state)),
        area("wheel", Shape::Free, wheel(game, state)),
        area("city", Shape::Free, city(game)),
        area("store", Shape::Free, store(game, state)),
    ];
    areas.extend((0..4).map(|place| area(PLACES[usize::from(place)], Shape::Free, work(game.data, place))));
    areas.push(area("bank", Shape::Free, bank(game.data)));
    areas.extend(columns(["supply-workers", "supply-goods", "supply-rest"], supply(state)));
    areas.extend(columns(["hand-workers", "hand-goods", "hand-rest"], own(state, hand)));
    areas
}

/// A row of columns as three areas: workers, goods, and the rest.
fn columns(ids: [&str; 3], mut cells: Vec<Cell>) -> impl Iterator<Item = Area> {
    let rest = cells.split_off(WORKER_IDS.len() + GOOD_IDS.len());
    let goods = cells.split_off(WORKER_IDS.len());
    ids.into_iter().zip([cells, goods, rest]).map(|(id, cells)| area(id, Shape::Free, cells))
}

/// What lies on a hex, if its tile is turned.
pub(crate) fn ground(game: &Montana, state: &State, hex: Hex) -> Option<Ground> {
    let (slot, place) = game.map.places[usize::from(hex)];
    state.land.slots[usize::from(slot)].ground(place)
}

fn map(game: &Montana, state: &State) -> Vec<Cell> {
    let building = matches!(state.stage, Stage::Main | Stage::Build(_)) && game.surplus(state) == 0;
    let sites = if building && state.active().tiles > 0 { state.land.sites(state.turn) } else { HexSet::EMPTY };
    let middle = places::middle(game.map);
    let cell = |hex: Hex| {
        let name = game.map.name(hex);
        let named = |key: &'static str| Text::new(key).with("cell", name.clone());
        let mut marks = Vec::new();
        let (symbol, label) = match ground(game, state, hex) {
            None => ("unknown".to_owned(), named("cell.unknown")),
            Some(Ground::Lake) => ("lake".to_owned(), named("cell.lake")),
            Some(Ground::Mountain) => ("mountain".to_owned(), named("cell.mountain")),
            Some(Ground::Plain { cost, double, .. }) => {
                if double {
                    marks.push(mark("double", Text::new("mark.double")));
                }
                if sites.contains(hex) {
                    marks.push(site_mark(state, cost));
                }
                (format!("plain-{}", cost.letters()), named("cell.plain").with("goods", said::goods(cost)))
            }
        };
        let place = places::hex(game.map, hex, middle);
        Cell { marks, ..self::cell(name, place, symbol, label) }
    };
    (0..game.map.hexes).map(cell).collect()
}

/// Dims the places of work that no action touches.
pub(crate) fn shut(areas: &mut [Area], actions: &[ActionView]) {
    for cell in areas.iter_mut().flat_map(|area| &mut area.cells) {
        let Some(space) = cell.symbol.as_deref().and_then(|symbol| symbol.strip_prefix("space-")) else { continue };
        let open = actions.iter().any(|action| action.touches.contains(&cell.id));
        if !open {
            let symbol = if space.starts_with("bank-") {
                "shut-bank"
            } else if space.ends_with("-r") {
                "shut-right"
            } else {
                "shut-left"
            };
            cell.marks.push(mark(symbol, Text::new("mark.shut")));
        }
    }
}

fn mark(symbol: &str, label: Text) -> Mark {
    Mark { symbol: symbol.to_owned(), label }
}

/// Whether a site can be paid for, or what is missing.
fn site_mark(state: &State, cost: Goods) -> Mark {
    match missing(state, cost) {
        Goods::NONE => mark("reach", Text::new("mark.reach")),
        goods => mark("near", Text::new("mark.near").with("goods", said::goods(goods))),
    }
}

/// The goods of a cost that the seat whose turn it is has not.
pub(crate) fn missing(state: &State, cost: Goods) -> Goods {
    let held = state.active().goods;
    Goods::of(std::array::from_fn(|lane| cost.count(lane).saturating_sub(held.count(lane))))
}

/// The wheel, with where the arrow points and where grain would take it (rules 17, 18).
fn wheel(game: &Montana, state: &State) -> Vec<Cell> {
    let data = game.data;
    let marks = |number: u8| match state.stage {
        Stage::Hire(first, second) if number == first || Some(number) == second => vec![pointed()],
        Stage::Shift(spun) => match (number + 8 - spun) % 8 {
            0 => vec![pointed()],
            steps if steps <= state.active().goods.count(GRAIN) => {
                vec![mark(&format!("grain-{steps}"), Text::new("mark.grain").with("n", i64::from(steps)))]
            }
            _ => Vec::new(),
        },
        _ => Vec::new(),
    };
    let hub = cell(places::HUB.to_owned(), places::WHEEL, "wheel".to_owned(), Text::new("cell.wheel"));
    let segment = |number: u8| {
        let segment = &data.wheel[usize::from(number)];
        let letters = "w".repeat(segment.whites.into()) + &segment.workers.letters();
        let label = Text::new("cell.segment").with("number", i64::from(number)).with("pair", said::segment(segment));
        let name = places::segment_cell(number);
        Cell { marks: marks(number), ..cell(name, places::segment(number), format!("segment-{letters}"), label) }
    };
    std::iter::once(hub).chain((0..8).map(segment)).collect()
}

fn pointed() -> Mark {
    mark("pointed", Text::new("mark.pointed"))
}

/// The way of the arrow over so many segments from where it points, each for a grain.
pub(crate) fn way(spun: u8, steps: u8, seat: Seat) -> Line {
    let path = places::way(spun, steps);
    let ends = path.iter().skip(2).step_by(2);
    Line {
        id: "way".to_owned(),
        owner: Some(seat),
        label: Text::new("line.way").with("n", i64::from(steps)),
        counts: ends.zip(1..).map(|(&at, n)| Count { at, n }).collect(),
        path,
    }
}

fn city(game: &Montana) -> Vec<Cell> {
    let row = |row: usize| {
        let name = format!("row-{}", row + 1);
        cell(name.clone(), places::row(row), name, Text::new(format!("cell.row.{}", row + 1)))
    };
    let stall = |stall: u8| {
        let (row, price) = game.stall(stall);
        let label = Text::new("cell.space.city").with("row", row as i64 + 1).with("price", i64::from(price));
        cell(places::stall_cell(game, stall), places::stall(row, price), format!("price-{price}"), label)
    };
    (0..4).map(row).chain((0..16).map(stall)).collect()
}

fn store(game: &Montana, state: &State) -> Vec<Cell> {
    let store = |seat: Seat| {
        let passed = state.contractors[usize::from(seat)] == Contractor::Passed;
        let marks = if passed { vec![mark("passed", Text::new("mark.passed"))] } else { Vec::new() };
        let label = of_seat("cell.store", seat);
        Cell { marks, ..cell(places::store_cell(seat), places::store(seat), "store".to_owned(), label) }
    };
    (0..game.seats).map(store).collect()
}

fn work(data: &Data, place: u8) -> Vec<Cell> {
    let mut cells = Vec::new();
    for space in 3 * place..3 * place + 3 {
        let name = PLACES[usize::from(place)];
        let number = space % 3 + 1;
        let production = &data.production[usize::from(place)];
        let (silver, count) = production.left[usize::from(space % 3)];
        let about = |key: &'static str, count: u8| {
            Text::new(key)
                .with("place", said::place(place))
                .with("number", i64::from(number))
                .with("n", i64::from(count))
                .with("good", said::good(production.good))
        };
        let (x, y) = places::space(space);
        let left = about("cell.space", count).with("silver", said::silver(silver));
        cells.push(cell(places::left_cell(space), (x, y), format!("space-{name}-{number}"), left));
        let right = about("cell.right", production.right);
        cells.push(cell(places::right_cell(space), (x + places::RIGHT_SIDE, y), format!("space-{name}-r"), right));
    }
    cells
}

fn bank(data: &Data) -> Vec<Cell> {
    let cell = |(space, &(workers, silver)): (u8, &(u8, u8))| {
        let label = Text::new("cell.bank")
            .with("number", i64::from(space) + 1)
            .with("n", i64::from(workers))
            .with("silver", said::silver(silver));
        cell(places::bank_cell(space), places::bank(space), format!("space-bank-{}", space + 1), label)
    };
    (0..).zip(&data.bank).map(cell).collect()
}

/// What a column holds.
fn thing(column: usize) -> Text {
    match COLUMNS[column] {
        id if WORKER_IDS.contains(&id) => Text::new(format!("worker.{id}")),
        id if GOOD_IDS.contains(&id) => Text::new(format!("good.{id}")),
        id => Text::new(format!("thing.{id}")),
    }
}

/// A cell with the number of what lies there.
fn counted(cell: Cell, count: u32) -> Cell {
    let symbol = if count > MOST_COUNTED { "count-more".to_owned() } else { format!("count-{count}") };
    let label = Text::new("mark.count").with("n", i64::from(count));
    Cell { marks: vec![mark(&symbol, label)], value: Some(count.into()), ..cell }
}

fn supply(state: &State) -> Vec<Cell> {
    let (workers, goods) = (state.workers.counts(), state.supply.counts());
    let counts = workers.into_iter().chain(goods).chain([state.cows]);
    let counts: Vec<Option<u32>> = counts.map(u32::from).map(Some).chain([None]).collect();
    let cell = |column: usize| {
        let id = COLUMNS[column];
        let label = Text::new("cell.supply").with("thing", thing(column));
        let cell = cell(places::supply_cell(id), places::column(column, 0), format!("pool-{id}"), label);
        counts[column].map_or(cell.clone(), |count| counted(cell, count))
    };
    let place = places::column(SUPPLY_COLUMNS, 0);
    let round = self::cell("round".to_owned(), place, "pool-round".to_owned(), Text::new("cell.round"));
    (0..SUPPLY_COLUMNS).map(cell).chain([counted(round, state.round.into())]).collect()
}

fn own(state: &State, seat: Seat) -> Vec<Cell> {
    let holdings = &state.seats[usize::from(seat)];
    let (workers, goods) = (holdings.workers.counts(), holdings.goods.counts());
    let counts = workers.into_iter().chain(goods).map(u32::from);
    let rest = [holdings.cows.into(), holdings.silver, holdings.canteens.into(), holdings.tiles.into()];
    let cell = |(column, count): (usize, u32)| {
        let id = COLUMNS[column];
        let symbol = if id == "tile" { format!("hand-tile-{seat}") } else { format!("hand-{id}") };
        let label = Text::new("cell.hand").with("thing", thing(column));
        counted(cell(places::hand_cell(id), places::column(column, 1), symbol, label), count)
    };
    counts.chain(rest).enumerate().map(cell).collect()
}

/// The lines of a seat's settlements that are long enough to have brought a tile (rules 41).
pub(crate) fn lines(game: &Montana, state: &State) -> Vec<Line> {
    let middle = places::middle(game.map);
    let mut lines = Vec::new();
    for seat in 0..game.seats {
        let own = state.land.settled[usize::from(seat)];
        for hex in own.iter() {
            for axis in 0..3 {
                let beside = |hex: Hex, direction: usize| {
                    Some(game.map.beside[usize::from(hex)][direction])
                        .filter(|&next| next != NOWHERE && own.contains(next))
                };
                if beside(hex, axis + 3).is_some() {
                    continue;
                }
                let run: Vec<Hex> = std::iter::successors(Some(hex), |&hex| beside(hex, axis)).collect();
                if run.len() < usize::from(game.data.line) {
                    continue;
                }
                let (from, to) = (run[0], run[run.len() - 1]);
                let (a, b) = (places::hex(game.map, from, middle), places::hex(game.map, to, middle));
                lines.push(Line {
                    id: format!("line-{}-{}", game.map.name(from), game.map.name(to)),
                    owner: Some(seat),
                    label: of_seat("line.label", seat),
                    path: vec![a, (f64::midpoint(a.0, b.0), f64::midpoint(a.1, b.1)), b],
                    counts: Vec::new(),
                });
            }
        }
    }
    lines
}
