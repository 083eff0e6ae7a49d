//! The board: all cells with their symbols and marks. Equal cells are interned.

use std::sync::{LazyLock, OnceLock};

use tavola_core::view::{Area, Cell, Curve, Mark, Shape};
use tavola_core::{Interner, Seat, Shared, SmolStr, Text, format_smolstr};

use crate::actions::{Action, ActionKind, ActionSet};
use crate::components::{COMPONENTS, Components, Ground};
use crate::game::Montana;
use crate::map::{Hex, HexSet, NO_HEX};
use crate::multiset::{GRAIN, Goods};
use crate::prices::{COLOURS, PLACES};
use crate::state::{Contractor, Stage, State};
use crate::view::labels::{self, GOOD_IDS, WORKER_IDS, of_seat, seat_name};
use crate::view::layout::{self, COLUMNS, MapFrame, SUPPLY_COLUMNS};
use crate::view::pieces::WorkSpace;

/// The supply is short of what it has no more of than this.
const SHORT: u32 = 2;

/// The largest number that has a symbol.
const MOST_COUNTED: u32 = 99;

fn cell(id: SmolStr, (x, y): (f64, f64), symbol: SmolStr, label: Text) -> Cell {
    Cell { id, x, y, symbol: Some(symbol), label, marks: Vec::new(), value: None, part_of: None }
}

fn area(id: &str, shape: Shape, size: f64, cells: Vec<Shared<Cell>>) -> Area {
    Area { id: id.into(), shape, label: Text::new(format_smolstr!("area.{id}")), size, cells }
}

/// Returns an area with cells of the work board.
fn work_area(id: &str, cells: Vec<Shared<Cell>>) -> Area {
    area(id, Shape::Free, layout::WORK_SIZE, cells)
}

/// Returns all areas, with the player board of seat `hand`. A narrow screen may move each of them.
pub(crate) fn areas(game: &Montana, state: &State, hand: Seat, legal: &ActionSet) -> Vec<Area> {
    let mut areas = vec![
        area("map", Shape::Hex, MapFrame::of(game.map).size, map(game, state)),
        area("wheel", Shape::Free, layout::WHEEL_SIZE, wheel(game, state)),
    ];
    // In the main stage each work space is marked as usable or not.
    let usable = usable_spaces(game, legal);
    areas.extend(PLACES.into_iter().chain(["bank"]).zip(&*WORK).map(|(place, cells)| {
        let shown = |work: &Work| {
            let faces = if work.space.crew(state) == 0 { &work.free } else { &work.taken };
            match state.stage {
                Stage::Main if usable.contains(&work.space) => faces.open.clone(),
                Stage::Main => faces.shut.clone(),
                _ => faces.plain.clone(),
            }
        };
        work_area(place, cells.iter().map(shown).collect())
    }));
    areas.extend([work_area("city", city(game, state)), work_area("store", store(game, state))]);
    areas.push(area("supply", Shape::Free, layout::SUPPLY_SIZE, vec![SUPPLY.clone()]));
    areas.extend(columns(["supply-workers", "supply-goods", "supply-rest"], layout::SUPPLY_SIZE, supply(state)));
    areas.extend(
        columns(["hand-workers", "hand-goods", "hand-rest"], 1.0, player_board(state, hand))
            .map(|area| Area { label: area.label.with("seat", seat_name(hand)), ..area }),
    );
    areas
}

/// The cell that stands for the whole supply.
static SUPPLY: LazyLock<Shared<Cell>> = LazyLock::new(|| {
    Shared::interned(cell(layout::SUPPLY.into(), layout::supply(0), "supply".into(), Text::new("cell.supply.all")))
});

/// Returns the work spaces that can be used.
fn usable_spaces(game: &Montana, legal: &ActionSet) -> Vec<WorkSpace> {
    let work_space = |action: Action| match game.tables.kind(action) {
        ActionKind::Bank(space, _) => Some(WorkSpace::Bank(space)),
        ActionKind::Work(space, _) => Some(WorkSpace::Left(space)),
        _ => None,
    };
    let mut usable: Vec<WorkSpace> = legal.iter().filter_map(work_space).collect();
    // Actions are in the order of their tokens, so those of a space are adjacent.
    usable.dedup();
    usable
}

/// Splits a row of columns into three areas: workers, goods, and the rest.
fn columns(ids: [&str; 3], size: f64, mut cells: Vec<Shared<Cell>>) -> impl Iterator<Item = Area> {
    let rest = cells.split_off(WORKER_IDS.len() + GOOD_IDS.len());
    let goods = cells.split_off(WORKER_IDS.len());
    ids.into_iter().zip([cells, goods, rest]).map(move |(id, cells)| area(id, Shape::Free, size, cells))
}

/// Returns the terrain of a hex, if its tile is rotated.
pub(crate) fn ground(game: &Montana, state: &State, hex: Hex) -> Option<Ground> {
    let (slot, place) = game.map.places[usize::from(hex)];
    state.land.slots[usize::from(slot)].ground(place)
}

fn map(game: &Montana, state: &State) -> Vec<Shared<Cell>> {
    let building = matches!(state.stage, Stage::Main | Stage::Build(_)) && game.surplus(state) == 0;
    let sites = if building && state.active().tiles > 0 { game.sites(&state.land, state.turn) } else { HexSet::EMPTY };
    let cell = |hex: Hex| {
        let ground = ground(game, state, hex);
        let built = hex == state.land.start || state.land.owner(hex).is_some();
        let cell = map_cell(game, hex, ground, built);
        match ground {
            Some(Ground::Plain { cost, .. }) if sites.contains(hex) => {
                let mut site = Cell::clone(&cell);
                site.marks.push(site_mark(state, cost));
                Shared::from(site)
            }
            _ => cell,
        }
    };
    (0..game.map.hexes).map(cell).collect()
}

/// Returns a hex of the map. `built`: a tile covers its cost, which no longer matters.
fn map_cell(game: &Montana, hex: Hex, ground: Option<Ground>, built: bool) -> Shared<Cell> {
    static HEXES: Interner<(Seat, Hex, Option<Ground>, bool), Cell> = Interner::new();
    HEXES.get((game.seats, hex, ground, built), |_| {
        let name = game.map.name(hex);
        let named = |key: &'static str| Text::new(key).with("cell", name.clone());
        let mut marks = Vec::new();
        let (symbol, label) = match ground {
            None => ("unknown".into(), named("cell.unknown")),
            Some(Ground::Lake) => ("lake".into(), named("cell.lake")),
            Some(Ground::Mountain) => ("mountain".into(), named("cell.mountain")),
            Some(Ground::Plain { cost, double, .. }) => {
                if double && !built {
                    marks.push(Mark::new("double", Text::new("mark.double")));
                }
                let label = named("cell.plain").with("goods", labels::goods(cost));
                let symbol = if built { "grass".into() } else { format_smolstr!("plain-{}", cost.letters()) };
                (symbol, label)
            }
        };
        let place = layout::hex(game.map, hex, MapFrame::of(game.map));
        Cell { marks, ..cell(name, place, symbol, label) }
    })
}

/// The cell of a work space: free, with the outlines of its workers, and taken.
struct Work {
    space: WorkSpace,
    free: WorkFaces,
    taken: WorkFaces,
}

/// The same cell without a mark, marked as usable, and dimmed.
struct WorkFaces {
    plain: Shared<Cell>,
    open: Shared<Cell>,
    shut: Shared<Cell>,
}

impl Work {
    fn new(space: WorkSpace, free: Cell) -> Self {
        let symbol = free.symbol.as_ref().map(|symbol| format_smolstr!("{symbol}-taken"));
        let taken = Cell { symbol, ..free.clone() };
        Self { space, free: WorkFaces::new(space, free), taken: WorkFaces::new(space, taken) }
    }
}

impl WorkFaces {
    fn new(space: WorkSpace, plain: Cell) -> Self {
        let dim = match space {
            WorkSpace::Bank(_) => "shut-bank",
            WorkSpace::Left(_) => "shut-left",
            WorkSpace::Right(_) => "shut-right",
        };
        let marked = |mark: Mark| Shared::interned(Cell { marks: vec![mark], ..plain.clone() });
        let open = marked(Mark::of_choice("open", Text::new("mark.open")));
        let shut = marked(Mark::of_choice(dim, Text::new("mark.shut")));
        Self { plain: Shared::interned(plain), open, shut }
    }
}

/// The cells of all work spaces.
static WORK: LazyLock<[Vec<Work>; 5]> = LazyLock::new(|| {
    std::array::from_fn(|place| if place < COLOURS { work(&COMPONENTS, place as u8) } else { bank(&COMPONENTS) })
});

/// Returns the mark of a site: payable, or the goods missing.
fn site_mark(state: &State, cost: Goods) -> Mark {
    match missing(state, cost) {
        Goods::NONE => Mark::of_choice("reach", Text::new("mark.reach")),
        goods => Mark::of_choice("near", Text::new("mark.near").with("goods", labels::goods(goods))),
    }
}

/// Returns the goods that the active seat lacks for a cost.
pub(crate) fn missing(state: &State, cost: Goods) -> Goods {
    let held = state.active().goods;
    Goods::of(std::array::from_fn(|lane| cost.count(lane).saturating_sub(held.count(lane))))
}

/// Returns the cells of the wheel, with the costs of the segments in reach (rules 17, 18).
fn wheel(game: &Montana, state: &State) -> Vec<Shared<Cell>> {
    static HUB: LazyLock<Shared<Cell>> = LazyLock::new(|| {
        Shared::interned(cell(layout::HUB.into(), layout::WHEEL, "wheel".into(), Text::new("cell.wheel")))
    });
    // The grain that each segment costs. 0 is where the arrow points.
    let away = |number: u8| match state.stage {
        Stage::Hire(first, second) if number == first || Some(number) == second => Some(0),
        Stage::Shift(spun) => Some((number + 8 - spun) % 8).filter(|&steps| steps <= state.active().goods.count(GRAIN)),
        _ => None,
    };
    std::iter::once(HUB.clone()).chain((0..8).map(|number| segment(game.components, number, away(number)))).collect()
}

fn segment(data: &Components, number: u8, away: Option<u8>) -> Shared<Cell> {
    static SEGMENTS: Interner<(u8, Option<u8>), Cell> = Interner::new();
    SEGMENTS.get((number, away), |_| {
        let marked = |away: u8| match away {
            0 => Mark::new("pointed", Text::new("mark.pointed")),
            steps => {
                let label = Text::new("mark.grain").with("n", i64::from(steps));
                Mark::of_choice(format_smolstr!("grain-{steps}"), label)
            }
        };
        let segment = &data.wheel[usize::from(number)];
        let letters = "w".repeat(segment.whites.into()) + &segment.workers.letters();
        let label = Text::new("cell.segment").with("number", i64::from(number)).with("pair", labels::segment(segment));
        let name = layout::segment_cell(number);
        Cell {
            marks: away.map(marked).into_iter().collect(),
            ..cell(name, layout::segment(number), format_smolstr!("segment-{letters}"), label)
        }
    })
}

/// Returns the arrow's path over `steps` segments.
pub(crate) fn arrow_path(spun: u8, steps: u8, seat: Seat) -> Curve {
    Curve {
        id: "way".into(),
        owner: Some(seat),
        label: Text::new("line.way").with("n", i64::from(steps)),
        path: layout::arrow_path(spun, steps),
        // The marks of the segments say what each step costs.
        counts: Vec::new(),
    }
}

/// The cells of a space of the city: without a mark, and marked as within the seat's means.
struct CitySpaceCells {
    plain: Shared<Cell>,
    open: Shared<Cell>,
}

fn city(game: &Montana, state: &State) -> Vec<Shared<Cell>> {
    static ROWS: LazyLock<Vec<Shared<Cell>>> = LazyLock::new(|| {
        let row = |row: usize| {
            let name = format_smolstr!("row-{}", row + 1);
            cell(name.clone(), layout::row(row), name, Text::new(format_smolstr!("cell.row.{}", row + 1)))
        };
        (0..4).map(row).map(Shared::interned).collect()
    });
    static SPACES: OnceLock<Vec<CitySpaceCells>> = OnceLock::new();
    let made = |city_space: u8| {
        let (row, price) = game.city_space(city_space);
        let label = Text::new("cell.space.city").with("row", row as i64 + 1).with("price", i64::from(price));
        let symbol = format_smolstr!("price-{price}");
        let plain = cell(layout::city_cell(game, city_space), layout::city_space(city_space), symbol, label);
        let mark = Mark::of_choice("open", Text::new("mark.open"));
        CitySpaceCells {
            open: Shared::interned(Cell { marks: vec![mark], ..plain.clone() }),
            plain: Shared::interned(plain),
        }
    };
    let open = |city_space: u8| match state.stage {
        Stage::Bid(seat) => game.may_bid(state, seat, city_space),
        Stage::Main => game.surplus(state) == 0 && game.could_bid(state, city_space),
        _ => false,
    };
    let spaces = SPACES.get_or_init(|| (0..16).map(made).collect());
    let shown =
        |(space, cells): (u8, &CitySpaceCells)| if open(space) { cells.open.clone() } else { cells.plain.clone() };
    ROWS.iter().cloned().chain((0..).zip(spaces).map(shown)).collect()
}

fn store(game: &Montana, state: &State) -> Vec<Shared<Cell>> {
    static STORES: Interner<(Seat, bool), Cell> = Interner::new();
    let store = |seat: Seat| {
        let passed = state.contractors[usize::from(seat)] == Contractor::Passed;
        STORES.get((seat, passed), |_| {
            let marks = if passed { vec![Mark::new("passed", Text::new("mark.passed"))] } else { Vec::new() };
            let label = of_seat("cell.store", seat);
            Cell { marks, ..cell(layout::store_cell(seat), layout::store(seat), "store".into(), label) }
        })
    };
    (0..game.seats).map(store).collect()
}

fn work(data: &Components, place: u8) -> Vec<Work> {
    let mut cells = Vec::new();
    for space in 3 * place..3 * place + 3 {
        let name = PLACES[usize::from(place)];
        let number = space % 3 + 1;
        let production = &data.prices.production[usize::from(place)];
        let (silver, count) = production.left[usize::from(space % 3)];
        let about = |key: &'static str, count: u8| {
            Text::new(key)
                .with("place", labels::heading(place))
                .with("number", i64::from(number))
                .with("goods", labels::goods(Goods::some(production.good, count)))
        };
        let left = about("cell.space", count).with("silver", labels::silver(silver));
        let left = cell(layout::left_cell(space), layout::space(space), format_smolstr!("space-{name}-{number}"), left);
        let right = about("cell.right", production.right);
        let right =
            cell(layout::right_cell(space), layout::right_side(space), format_smolstr!("space-{name}-r"), right);
        cells.extend([Work::new(WorkSpace::Left(space), left), Work::new(WorkSpace::Right(space), right)]);
    }
    cells
}

fn bank(data: &Components) -> Vec<Work> {
    let work = |(space, &(workers, silver)): (u8, &(u8, u8))| {
        let label = Text::new("cell.bank")
            .with("number", i64::from(space) + 1)
            .with("n", i64::from(workers))
            .with("silver", labels::silver(silver));
        let symbol = format_smolstr!("space-bank-{}", space + 1);
        Work::new(WorkSpace::Bank(space), cell(layout::bank_cell(space), layout::bank(space), symbol, label))
    };
    (0..).zip(&data.prices.bank).map(work).collect()
}

/// Returns the name of a column.
fn column_name(column: usize) -> Text {
    match COLUMNS[column] {
        id if WORKER_IDS.contains(&id) => Text::new(format_smolstr!("worker.{id}")),
        id if GOOD_IDS.contains(&id) => Text::new(format_smolstr!("good.{id}")),
        id => Text::new(format_smolstr!("thing.{id}")),
    }
}

/// Adds the number of pieces to a cell.
fn with_count(cell: Cell, count: u32) -> Cell {
    let symbol = if count > MOST_COUNTED { "count-more".into() } else { format_smolstr!("count-{count}") };
    let label = Text::new("mark.count").with("n", i64::from(count));
    Cell { marks: vec![Mark::new(symbol, label)], value: Some(count.into()), ..cell }
}

/// A cell with a number: a column of the supply or of a player board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum CountedCell {
    Supply(usize),
    Round,
    Hand(Seat, usize),
}

impl CountedCell {
    /// Returns the cell with this number, interned unless the number is large.
    fn holding(self, count: u32) -> Shared<Cell> {
        static HEAPS: Interner<(CountedCell, u32), Cell> = Interner::new();
        if count > MOST_COUNTED {
            return Shared::from(with_count(self.cell(), count));
        }
        HEAPS.get((self, count), |_| {
            let mut cell = with_count(self.cell(), count);
            if matches!(self, Self::Supply(_)) && count <= SHORT {
                cell.marks.push(Mark::new("short", Text::new("mark.short")));
            }
            cell
        })
    }

    fn cell(self) -> Cell {
        match self {
            Self::Supply(column) => {
                let (id, label) = (COLUMNS[column], Text::new("cell.supply").with("thing", column_name(column)));
                cell(layout::supply_cell(id), layout::supply(column + 1), format_smolstr!("pool-{id}"), label)
            }
            Self::Round => {
                let place = layout::supply(SUPPLY_COLUMNS + 1);
                cell("round".into(), place, "pool-round".into(), Text::new("cell.round"))
            }
            Self::Hand(seat, column) => {
                let label = Text::new("cell.hand").with("seat", seat_name(seat)).with("thing", column_name(column));
                let id = COLUMNS[column];
                let symbol =
                    if id == "tile" { format_smolstr!("hand-tile-{seat}") } else { format_smolstr!("hand-{id}") };
                cell(layout::hand_cell(id), layout::hand(column), symbol, label)
            }
        }
    }
}

fn supply(state: &State) -> Vec<Shared<Cell>> {
    static PLENTY: LazyLock<Shared<Cell>> =
        LazyLock::new(|| Shared::interned(CountedCell::Supply(SUPPLY_COLUMNS - 1).cell()));
    let (workers, goods) = (state.workers.counts(), state.supply.counts());
    let counts = workers.into_iter().chain(goods).chain([state.cows]);
    let cell = |(column, count): (usize, u8)| CountedCell::Supply(column).holding(count.into());
    let round = CountedCell::Round.holding(state.round.into());
    counts.enumerate().map(cell).chain([PLENTY.clone(), round]).collect()
}

fn player_board(state: &State, seat: Seat) -> Vec<Shared<Cell>> {
    let holdings = &state.seats[usize::from(seat)];
    let (workers, goods) = (holdings.workers.counts(), holdings.goods.counts());
    let counts = workers.into_iter().chain(goods).map(u32::from);
    let rest = [holdings.cows.into(), holdings.silver, holdings.canteens.into(), holdings.tiles.into()];
    counts.chain(rest).enumerate().map(|(column, count)| CountedCell::Hand(seat, column).holding(count)).collect()
}

/// Returns the lines of settlements that have earned a tile (rules 41).
pub(crate) fn lines(game: &Montana, state: &State) -> Vec<Curve> {
    let frame = MapFrame::of(game.map);
    let mut lines = Vec::new();
    for seat in 0..game.seats {
        let own = state.land.settled[usize::from(seat)];
        for hex in own.iter() {
            for axis in 0..3 {
                let beside = |hex: Hex, direction: usize| {
                    Some(game.map.beside[usize::from(hex)][direction])
                        .filter(|&next| next != NO_HEX && own.contains(next))
                };
                if beside(hex, axis + 3).is_some() {
                    continue;
                }
                let run: Vec<Hex> = std::iter::successors(Some(hex), |&hex| beside(hex, axis)).collect();
                if run.len() < usize::from(game.components.line) {
                    continue;
                }
                let (from, to) = (run[0], run[run.len() - 1]);
                let (a, b) = (layout::hex(game.map, from, frame), layout::hex(game.map, to, frame));
                lines.push(Curve {
                    id: format_smolstr!("line-{}-{}", game.map.name(from), game.map.name(to)),
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

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Draw, Notation, Options};

    use super::*;

    #[test]
    fn workers_cover_neither_outlines_nor_what_their_space_brings() {
        let game = Montana::new(&Options::new(Montana::INFO, [("players", "3")]).unwrap());
        let text = "3/shift L10r2/L06r5/L11r0/L09r1/L01r1/L02r2/L07r1/L08r4/L03r4 3,3 \
                    2,3=1x1/3,4=1x1/4,3=0x2/4,4=0x1 c11C4s8S3g10v13/n17k15y13o15/10 \
                    5:o:CsS:0:0/13:-:cccsssSv:0:0/12:n:CssSgggg:0:0 k,yy,-,-/-,-,-/-,k,-/yo,-,y/ky,o,- -/-/- 17 2 main";
        let view = game.view(&game.parse_position(text).unwrap(), None);
        let work = view.areas.iter().filter(|area| PLACES.contains(&area.id.as_str()) || area.id == "bank");
        for cell in work.flat_map(|area| &area.cells) {
            let taken = view.pieces.iter().any(|piece| piece.cell == cell.id);
            assert_eq!(cell.symbol.as_ref().unwrap().ends_with("-taken"), taken, "{}", cell.id);
        }
    }
}
