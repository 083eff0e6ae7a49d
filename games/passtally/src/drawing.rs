//! How a position looks. Cells and actions that look the same in many positions are made once.

use tavola_core::view::{
    ActionView, Area, Card, Cell as ViewCell, Count, Counter, Line, Mark, OutcomeView, Prospect, SeatView, Shape,
};
use tavola_core::{
    Actor, Draw, Event, Game, Interner, Notation, Refusal, Seat, Shared, SmolStr, Text, View, format_smolstr,
};

use crate::actions::{Action, Deed, PILES, Pile};
use crate::board::Top;
use crate::cells::{self, Cell, SIDES, SIZE, Side};
use crate::lines::{self, Run};
use crate::pieces::{self, half_piece, marker_piece};
use crate::position_text::in_text_order;
use crate::ring::{self, PLACES, Place};
use crate::rules::{GOAL, Passtally, TURN};
use crate::score;
use crate::state::{Heap, MARKERS, PILE, Stage, State};
use crate::story;
use crate::tiles::{COPIES, NAMES, TYPES, Type};

/// How far from the board's middle lines the rim lies, in cell widths beyond the outermost cells' centres.
const RIM: f64 = 0.8;

impl Draw for Passtally {
    fn view(&self, state: &State, _viewer: Option<Seat>) -> View {
        View {
            game: Self::INFO.name.into(),
            to_act: match self.to_act(state) {
                Actor::Seat(seat) => Some(seat as i8),
                Actor::Chance => Some(-1),
                Actor::Terminal => None,
            },
            turn: self.turn(state),
            prompt: self.prompt(state),
            areas: areas(state),
            pieces: pieces::all(state),
            seats: (0..self.seats).map(|seat| seat_view(state, seat)).collect(),
            supply: supply(state),
            cards: cards(state),
            lines: all_lines(state),
            actions: self.action_views(state),
            outcome: self.outcome_view(state),
        }
    }

    fn is_public(&self, _state: &State) -> bool {
        true
    }

    fn events(&self, state: &State, action: Action) -> Vec<Event> {
        story::tell(self, state, action)
    }

    fn refusal(&self, state: &State, action: Action) -> Option<Refusal> {
        self.refuse(state, action)
    }

    fn touch_refusal(&self, state: &State, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal> {
        self.refuse_touch(state, touched, turn)
    }

    fn prospect(&self, state: &State, action: Action) -> Prospect {
        let mut after = *state;
        self.play_unchecked(&mut after, action);
        let pieces = match action.deed() {
            Deed::Tile(_, laid) => laid.cells().into_iter().filter_map(|cell| half_piece(&after, cell)).collect(),
            Deed::Set(place) | Deed::Marker(_, place) => vec![marker_piece(state.seat, place)],
            Deed::Draw(..) => Vec::new(),
        };
        let texts = (0..self.seats).map(|seat| score_text("prospect", &after, seat)).collect();
        Prospect { pieces, lines: all_lines(&after), texts }
    }
}

/// What a seat's lines would bring it at the end of a turn: `WHERE.score`, or `WHERE.none` without a line.
pub(crate) fn score_text(whence: &str, state: &State, seat: Seat) -> Text {
    let own = state.markers[seat as usize];
    if lines::joining(&state.board, own).next().is_none() {
        return Text::new(format_smolstr!("{whence}.none")).with("seat", seat_name(seat));
    }
    let passes = state.board.passes(own);
    Text::new(format_smolstr!("{whence}.score"))
        .with("seat", seat_name(seat))
        .with("n", i64::from(passes))
        .with("points", i64::from(score::points(passes)))
}

pub(crate) fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}

pub(crate) fn type_name(kind: Type) -> Text {
    Text::new(format_smolstr!("type.{}", NAMES[kind as usize]))
}

fn side_name(side: Side) -> Text {
    Text::new(format_smolstr!("side.{}", SIDES[side as usize]))
}

/// The cell of a pile's face-up tile; its other half lies on [`pile_part`].
pub(crate) fn pile_cell(pile: Pile) -> SmolStr {
    format_smolstr!("pile-{}", pile + 1)
}

pub(crate) fn pile_part(pile: Pile) -> SmolStr {
    format_smolstr!("pile-{}-b", pile + 1)
}

/// Where the centre of a cell is, to the right and downwards.
fn centre(cell: Cell) -> (f64, f64) {
    (f64::from(cell % SIZE), f64::from(SIZE - 1 - cell / SIZE))
}

fn beside(at: (f64, f64), side: Side, by: f64) -> (f64, f64) {
    match side {
        0 => (at.0, at.1 - by),
        1 => (at.0 + by, at.1),
        2 => (at.0, at.1 + by),
        _ => (at.0 - by, at.1),
    }
}

fn rim(place: Place) -> (f64, f64) {
    beside(centre(ring::cell_beside(place)), ring::side_of(place), RIM)
}

fn areas(state: &State) -> Vec<Area> {
    let board = in_text_order().map(|cell| board_cell(state.board.top(cell), cell)).collect();
    let rim = (0..PLACES).map(rim_cell).collect();
    let piles = (0..PILES).flat_map(|pile| pile_cells(state, pile)).collect();
    let area =
        |id: &str, shape, cells| Area { id: id.into(), shape, label: Text::new(format_smolstr!("area.{id}")), cells };
    vec![area("board", Shape::Square, board), area("rim", Shape::Free, rim), area("piles", Shape::Free, piles)]
}

fn board_cell(top: Top, cell: Cell) -> Shared<ViewCell> {
    static CELLS: Interner<(Cell, u8), ViewCell> = Interner::new();
    CELLS.get((cell, top.height()), |&(cell, height)| make_board_cell(cell, height))
}

fn make_board_cell(cell: Cell, height: u8) -> ViewCell {
    let (x, y) = centre(cell);
    let level = match height {
        0..=2 => None,
        3..=4 => Some(3),
        _ => Some(5),
    };
    let mark =
        |level: u8| Mark::new(format_smolstr!("level-{level}"), Text::new("mark.level").with("n", i64::from(level)));
    ViewCell {
        id: cells::name(cell),
        x,
        y,
        symbol: Some("cell".into()),
        label: Text::new("cell").with("cell", cells::name(cell)),
        marks: level.map(mark).into_iter().collect(),
        value: Some(height.into()),
        part_of: None,
    }
}

fn rim_cell(place: Place) -> Shared<ViewCell> {
    static RIM_CELLS: Interner<Place, ViewCell> = Interner::new();
    let (x, y) = rim(place);
    RIM_CELLS.get(place, |_| ViewCell {
        id: ring::name(place),
        x,
        y,
        symbol: Some("rim".into()),
        label: Text::new("cell.rim").with("cell", ring::name(place)),
        marks: Vec::new(),
        value: None,
        part_of: None,
    })
}

fn pile_cells(state: &State, pile: Pile) -> [Shared<ViewCell>; 2] {
    static WHOLES: Interner<(Pile, u8, bool), ViewCell> = Interner::new();
    static PARTS: Interner<(Pile, bool), ViewCell> = Interner::new();
    let heap = state.piles[pile as usize];
    let whole = || pile_whole(pile, heap);
    let part = |_: &(Pile, bool)| ViewCell {
        id: pile_part(pile),
        x: whole().x + 1.0,
        value: None,
        part_of: Some(pile_cell(pile)),
        ..whole()
    };
    let used_up = heap.is_used_up();
    [WHOLES.get((pile, heap.down, used_up), |_| whole()), PARTS.get((pile, used_up), part)]
}

fn pile_whole(pile: Pile, heap: Heap) -> ViewCell {
    ViewCell {
        id: pile_cell(pile),
        x: -0.5 + 2.5 * f64::from(pile),
        y: f64::from(SIZE) + 1.1,
        symbol: Some(if heap.is_used_up() { "pile-empty" } else { "pile" }.into()),
        label: Text::new("cell.pile").with("n", i64::from(pile) + 1),
        marks: Vec::new(),
        value: Some(heap.down.into()),
        part_of: None,
    }
}

/// How far a tile is turned whose second half lies in a direction from its first.
pub(crate) fn degrees(direction: Side) -> u16 {
    u16::from((direction + 3) % 4) * 90
}

/// The direction from first to second half of a tile so turned.
pub(crate) fn direction_of(turn: u16) -> Side {
    ((turn / 90 + 1) % 4) as Side
}

fn counter(id: impl Into<SmolStr>, label: Text, value: i64, of: Option<i64>, symbol: impl Into<SmolStr>) -> Counter {
    Counter { id: id.into(), label, value, of, symbol: Some(symbol.into()) }
}

fn seat_view(state: &State, seat: Seat) -> SeatView {
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

fn supply(state: &State) -> Vec<Shared<Counter>> {
    static LEFT: Interner<(Pile, u8), Counter> = Interner::new();
    static UNSEEN: Interner<(Type, u8), Counter> = Interner::new();
    let piles = (0..PILES).map(|pile| {
        LEFT.get((pile, state.piles[pile as usize].tiles()), |&(_, tiles)| {
            let label = Text::new("counter.pile").with("n", i64::from(pile) + 1);
            counter(pile_cell(pile), label, tiles.into(), Some(PILE.into()), "pile")
        })
    });
    let unseen = (0..TYPES).map(|kind| {
        UNSEEN.get((kind, state.unseen[kind as usize]), |&(_, copies)| {
            let name = NAMES[kind as usize];
            let label = Text::new("counter.unseen").with("type", type_name(kind));
            let symbol = format_smolstr!("tile-{name}");
            counter(format_smolstr!("unseen-{name}"), label, copies.into(), Some(COPIES.into()), symbol)
        })
    });
    piles.chain(unseen).collect()
}

/// Why this round is the last, if it is (rules 17).
pub(crate) fn last_round(state: &State) -> Option<Text> {
    let seat = (0..).zip(state.points).find(|&(_, points)| points >= GOAL).map(|(seat, _)| seat);
    match (seat, state.used_up()) {
        (Some(seat), _) => Some(Text::new("last.points").with("seat", seat_name(seat))),
        (None, Some(pile)) => Some(Text::new("last.pile").with("pile", i64::from(pile) + 1)),
        (None, None) => None,
    }
}

fn cards(state: &State) -> Vec<Card> {
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
            .with("points", i64::from(score::points(passes))),
        Stage::SetUp { .. } | Stage::Over => Text::new("card.table.rule"),
    };
    let last = last_round(state).filter(|_| !state.is_over()).map(|why| card("last", why, Vec::new()));
    [card("table", table, cells)].into_iter().chain(last).collect()
}

/// The lines that join two markers of a seat.
fn all_lines(state: &State) -> Vec<Line> {
    lines::all_joining(&state.board, &state.markers).map(|(seat, from, run)| line(state, seat, from, run)).collect()
}

/// A seat's line as it is drawn, with its passes counted where they are met.
pub(crate) fn line(state: &State, seat: Seat, from: Place, run: Run) -> Line {
    let (mut path, mut counts, mut passes) = (vec![rim(from)], Vec::new(), 0);
    let edge = |cell, side| beside(centre(cell), side, 0.5);
    let (first, side) = (ring::cell_beside(from), ring::side_of(from));
    path.extend([edge(first, side); 2]);
    let mut end = edge(first, side);
    lines::follow(&state.board, from, |cell, _, out, added| {
        end = edge(cell, out);
        path.extend([centre(cell), end]);
        passes += added;
        if added > 0 {
            counts.push(Count { at: centre(cell), n: passes.into() });
        }
    });
    path.extend([end, rim(run.end)]);
    let (from, to) = (ring::name(from), ring::name(run.end));
    let label = line_text("line.label", seat, &from, &to, run.passes);
    Line { id: format_smolstr!("{from}-{to}"), owner: Some(seat), label, path, counts }
}

pub(crate) fn line_text(key: &'static str, seat: Seat, from: &str, to: &str, passes: u32) -> Text {
    Text::new(key).with("seat", seat_name(seat)).with("from", from).with("cell", to).with("n", i64::from(passes))
}

impl Passtally {
    fn prompt(&self, state: &State) -> Text {
        if let Some(pile) = state.due {
            return Text::new("prompt.draw").with("pile", i64::from(pile) + 1);
        }
        match state.stage {
            Stage::Over => Text::new("prompt.over"),
            Stage::Turn { taken } => Text::new("prompt.act").with("n", i64::from(TURN - taken)),
            Stage::SetUp { placed, named } => {
                let sides = State::sides(placed, named, self.seats);
                match sides.count_ones() {
                    1 => Text::new("prompt.set").with("side", side_name(sides.trailing_zeros() as Side)),
                    2 => Text::new("prompt.set.sides"),
                    _ => Text::new("prompt.set.any"),
                }
            }
        }
    }

    fn action_views(&self, state: &State) -> Vec<Shared<ActionView>> {
        static ACTIONS: Interner<(Action, Seat, bool), ActionView> = Interner::new();
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        let choice = |action: Action| {
            // A tile is the same for everybody, but not whether another is drawn for it.
            let (seat, draws) = match action.deed() {
                Deed::Tile(pile, _) => (0, state.piles[pile as usize].down > 0),
                Deed::Set(_) | Deed::Marker(..) | Deed::Draw(..) => (state.seat, false),
            };
            ACTIONS.get((action, seat, draws), |_| self.action_view(action, seat, draws))
        };
        actions.into_iter().map(choice).collect()
    }

    fn action_view(&self, action: Action, seat: Seat, draws: bool) -> ActionView {
        let mut view = ActionView {
            token: self.token(action),
            touches: Vec::new(),
            any_order: false,
            turn: None,
            label: action_label(action),
            kind: SmolStr::default(),
            preview: Vec::new(),
            warning: None,
        };
        match action.deed() {
            Deed::Set(place) => {
                view.kind = "set".into();
                view.touches = vec![ring::name(place)];
                view.preview = vec![marker_piece(seat, place)];
            }
            Deed::Tile(pile, laid) => {
                view.kind = "tile".into();
                view.touches = vec![pile_cell(pile), cells::name(laid.cells()[0])];
                view.turn = Some(degrees(laid.direction()));
                view.warning = draws.then(|| Text::new("warning.draw"));
            }
            Deed::Marker(from, to) => {
                view.kind = "marker".into();
                view.touches = vec![ring::name(from), ring::name(to)];
                view.preview = vec![marker_piece(seat, to)];
            }
            Deed::Draw(..) => {}
        }
        view
    }

    pub(crate) fn outcome_view(&self, state: &State) -> Option<OutcomeView> {
        let outcome = self.outcome(state)?;
        let winner = self.winner(state);
        let most = state.points[winner as usize];
        let tie = state.points[..self.seats.into()].iter().filter(|&&points| points == most).count() > 1;
        let key = format_smolstr!("outcome.{}{}", outcome.reason, if tie { ".tie" } else { "" });
        Some(OutcomeView {
            winners: outcome.winners.iter().collect(),
            reason: outcome.reason.into(),
            text: Text::new(key).with("seat", seat_name(winner)),
            returns: outcome.returns(self.seats()),
        })
    }
}

fn action_label(action: Action) -> Text {
    match action.deed() {
        Deed::Set(place) => Text::new("action.set").with("cell", ring::name(place)),
        Deed::Tile(pile, laid) => {
            let [first, second] = laid.cells();
            Text::new("action.tile")
                .with("type", type_name(laid.kind))
                .with("pile", i64::from(pile) + 1)
                .with("cell", cells::name(first))
                .with("second", cells::name(second))
        }
        Deed::Marker(from, to) => {
            Text::new("action.marker").with("from", ring::name(from)).with("cell", ring::name(to))
        }
        Deed::Draw(pile, kind) => {
            Text::new("event.draw").with("pile", i64::from(pile) + 1).with("type", type_name(kind))
        }
    }
}
