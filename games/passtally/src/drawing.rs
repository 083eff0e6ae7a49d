//! How a position looks.

use tavola_core::view::{
    ActionView, Area, Card, Cell as ViewCell, Count, Counter, Line, Mark, OutcomeView, Piece, Prospect, SeatView, Shape,
};
use tavola_core::{Actor, Draw, Event, Game, Notation, Refusal, Seat, Text, View};

use crate::actions::{Action, Deed, PILES, Pile};
use crate::board::Top;
use crate::cells::{self, Cell, SIDES, SIZE, Side, opposite};
use crate::lines::{self, Run};
use crate::position_text::in_text_order;
use crate::ring::{self, PLACES, Place};
use crate::rules::{GOAL, Passtally, TURN};
use crate::score;
use crate::state::{MARKERS, PILE, Stage, State};
use crate::story;
use crate::tiles::{COPIES, NAMES, SHAPES, TYPES, Type};

/// How far from the board's middle lines the rim lies, in cell widths beyond the outermost cells' centres.
const RIM: f64 = 0.8;

impl Draw for Passtally {
    fn view(&self, state: &State, _viewer: Option<Seat>) -> View {
        View {
            game: Self::INFO.name.to_owned(),
            to_act: match self.to_act(state) {
                Actor::Seat(seat) => Some(seat as i8),
                Actor::Chance => Some(-1),
                Actor::Nobody => None,
            },
            turn: self.turn(state),
            prompt: self.prompt(state),
            areas: areas(state),
            pieces: pieces(state),
            seats: (0..self.seats).map(|seat| seat_view(state, seat)).collect(),
            supply: supply(state),
            cards: cards(state),
            lines: all_lines(state),
            actions: self.action_views(state),
            outcome: self.outcome_view(state),
        }
    }

    fn is_same_for_all(&self, _state: &State) -> bool {
        true
    }

    fn events(&self, state: &State, action: Action) -> Vec<Event> {
        story::tell(self, state, action)
    }

    fn refusal(&self, state: &State, action: Action) -> Option<Refusal> {
        self.refuse(state, action)
    }

    fn refusal_of_touch(&self, state: &State, touched: &[String], turn: Option<u16>) -> Option<Refusal> {
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
        return Text::new(format!("{whence}.none")).with("seat", seat_name(seat));
    }
    let passes = state.board.passes(own);
    Text::new(format!("{whence}.score"))
        .with("seat", seat_name(seat))
        .with("n", i64::from(passes))
        .with("points", i64::from(score::points(passes)))
}

pub(crate) fn seat_name(seat: Seat) -> Text {
    Text::new(format!("seat.{seat}"))
}

pub(crate) fn type_name(kind: Type) -> Text {
    Text::new(format!("type.{}", NAMES[kind as usize]))
}

fn side_name(side: Side) -> Text {
    Text::new(format!("side.{}", SIDES[side as usize]))
}

/// The cell of a pile's face-up tile; its other half lies on [`pile_part`].
pub(crate) fn pile_cell(pile: Pile) -> String {
    format!("pile-{}", pile + 1)
}

fn pile_part(pile: Pile) -> String {
    format!("pile-{}-b", pile + 1)
}

pub(crate) fn pile_piece(pile: Pile, half: u8) -> String {
    format!("pile-{}/{half}", pile + 1)
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
        |id: &str, shape, cells| Area { id: id.to_owned(), shape, label: Text::new(format!("area.{id}")), cells };
    vec![area("board", Shape::Square, board), area("rim", Shape::Free, rim), area("piles", Shape::Free, piles)]
}

fn board_cell(top: Top, cell: Cell) -> ViewCell {
    let (x, y) = centre(cell);
    let height = top.height();
    let level = match height {
        0..=2 => None,
        3..=4 => Some(3),
        _ => Some(5),
    };
    let mark = |level: u8| Mark {
        symbol: format!("level-{level}"),
        label: Text::new("mark.level").with("n", i64::from(level)),
    };
    ViewCell {
        id: cells::name(cell),
        x,
        y,
        symbol: Some("cell".to_owned()),
        label: Text::new("cell").with("cell", cells::name(cell)),
        marks: level.map(mark).into_iter().collect(),
        value: Some(height.into()),
        part_of: None,
    }
}

fn rim_cell(place: Place) -> ViewCell {
    let (x, y) = rim(place);
    ViewCell {
        id: ring::name(place),
        x,
        y,
        symbol: Some("rim".to_owned()),
        label: Text::new("cell.rim").with("cell", ring::name(place)),
        marks: Vec::new(),
        value: None,
        part_of: None,
    }
}

fn pile_cells(state: &State, pile: Pile) -> [ViewCell; 2] {
    let x = -0.5 + 2.5 * f64::from(pile);
    let heap = state.piles[pile as usize];
    let whole = ViewCell {
        id: pile_cell(pile),
        x,
        y: f64::from(SIZE) + 1.1,
        symbol: Some(if heap.is_used_up() { "pile-empty" } else { "pile" }.to_owned()),
        label: Text::new("cell.pile").with("n", i64::from(pile) + 1),
        marks: Vec::new(),
        value: Some(heap.down.into()),
        part_of: None,
    };
    let part =
        ViewCell { id: pile_part(pile), x: x + 1.0, value: None, part_of: Some(whole.id.clone()), ..whole.clone() };
    [whole, part]
}

fn pieces(state: &State) -> Vec<Piece> {
    let halves = in_text_order().filter_map(|cell| half_piece(state, cell));
    let markers =
        (0..).zip(state.markers).flat_map(|(seat, own)| ring::each(own).map(move |at| marker_piece(seat, at)));
    let faces = (0..PILES).filter_map(|pile| state.piles[pile as usize].face.map(|kind| face_pieces(pile, kind)));
    halves.chain(markers).chain(faces.flatten()).collect()
}

/// The half tile that one sees on a cell.
pub(crate) fn half_piece(state: &State, cell: Cell) -> Option<Piece> {
    let top = state.board.top(cell);
    let storey = top.height().checked_sub(1)?;
    let print = top.print();
    let kind = print.map(|print| print / 2);
    let (symbol, turn) = match (print, top.joint()) {
        (Some(print), Some(joint)) => {
            let direction = if print % 2 == 0 { joint } else { opposite(joint) };
            (format!("half-{}-{}", NAMES[(print / 2) as usize], print % 2), degrees(direction))
        }
        (Some(print), None) => (format!("lone-{}-{}", NAMES[(print / 2) as usize], print % 2), lone_turn(top, print)),
        (None, _) => (format!("lone-{}", SHAPES[top.shape() as usize]), 0),
    };
    let height = i64::from(top.height());
    let label = match (kind, top.joint()) {
        (Some(kind), Some(_)) => Text::new("piece.half").with("type", type_name(kind)),
        _ => Text::new("piece.lone"),
    };
    let shape = Text::new(format!("shape.{}", SHAPES[top.shape() as usize]));
    Some(Piece {
        id: half_id(cell, storey + 1),
        cell: cells::name(cell),
        symbol,
        label: label.with("shape", shape).with("storey", height),
        storey,
        turn,
        owner: None,
    })
}

pub(crate) fn half_id(cell: Cell, height: u8) -> String {
    format!("{}/{height}", cells::name(cell))
}

/// How far a tile is turned whose second half lies in a direction from its first.
fn degrees(direction: Side) -> u16 {
    u16::from((direction + 3) % 4) * 90
}

/// The direction from first to second half of a tile so turned.
pub(crate) fn direction_of(turn: u16) -> Side {
    ((turn / 90 + 1) % 4) as Side
}

/// How a half tile lies whose other half is covered: its shape tells by quarter turns, and looks the same by halves.
fn lone_turn(top: Top, print: u8) -> u16 {
    let name = NAMES[(print / 2) as usize].as_bytes();
    let printed = char::from(name[(print % 2) as usize]);
    if printed == SHAPES[top.shape() as usize] { 0 } else { 90 }
}

pub(crate) fn marker_piece(seat: Seat, place: Place) -> Piece {
    Piece {
        id: ring::name(place),
        cell: ring::name(place),
        symbol: format!("marker-{seat}"),
        label: Text::new("piece.marker").with("seat", seat_name(seat)),
        storey: 0,
        turn: 0,
        owner: Some(seat),
    }
}

pub(crate) fn face_pieces(pile: Pile, kind: Type) -> [Piece; 2] {
    [0, 1].map(|half| Piece {
        id: pile_piece(pile, half),
        cell: if half == 0 { pile_cell(pile) } else { pile_part(pile) },
        symbol: format!("half-{}-{half}", NAMES[kind as usize]),
        label: Text::new("piece.face-up").with("type", type_name(kind)),
        storey: 0,
        turn: 0,
        owner: None,
    })
}

fn counter(id: impl Into<String>, label: Text, value: i64, of: Option<i64>, symbol: impl Into<String>) -> Counter {
    Counter { id: id.into(), label, value, of, symbol: Some(symbol.into()) }
}

fn seat_view(state: &State, seat: Seat) -> SeatView {
    let (points, own) = (state.points[seat as usize], state.markers[seat as usize]);
    let mut counters = vec![counter("points", Text::new("counter.points"), points.into(), Some(GOAL.into()), "point")];
    if matches!(state.stage, Stage::SetUp { .. }) {
        let left = i64::from(u32::from(MARKERS) - own.count_ones());
        counters.push(counter("markers", Text::new("counter.markers"), left, None, format!("marker-{seat}")));
    }
    SeatView { seat, name: seat_name(seat), symbol: format!("seat-{seat}"), counters }
}

fn supply(state: &State) -> Vec<Counter> {
    let piles = (0..PILES).map(|pile| {
        let label = Text::new("counter.pile").with("n", i64::from(pile) + 1);
        let tiles = state.piles[pile as usize].tiles();
        counter(pile_cell(pile), label, tiles.into(), Some(PILE.into()), "pile")
    });
    let unseen = (0..TYPES).map(|kind| {
        let name = NAMES[kind as usize];
        let label = Text::new("counter.unseen").with("type", type_name(kind));
        let copies = state.unseen[kind as usize];
        counter(format!("unseen-{name}"), label, copies.into(), Some(COPIES.into()), format!("tile-{name}"))
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
    let mut cells: Vec<String> = Vec::new();
    for (from, _) in lines::joining(&state.board, own) {
        lines::follow(&state.board, from, |cell, _, _, _| cells.push(cells::name(cell)));
    }
    cells.sort_unstable();
    cells.dedup();
    let card = |id: &str, text: Text, cells| Card {
        id: id.to_owned(),
        symbol: format!("card-{id}"),
        title: Text::new(format!("card.{id}")),
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
    Line { id: format!("{from}-{to}"), owner: Some(seat), label, path, counts }
}

pub(crate) fn line_text(key: &'static str, seat: Seat, from: &str, to: &str, passes: u32) -> Text {
    Text::new(key)
        .with("seat", seat_name(seat))
        .with("from", from.to_owned())
        .with("cell", to.to_owned())
        .with("n", i64::from(passes))
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

    fn action_views(&self, state: &State) -> Vec<ActionView> {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions.into_iter().map(|action| self.action_view(state, action)).collect()
    }

    fn action_view(&self, state: &State, action: Action) -> ActionView {
        let mut view = ActionView {
            token: self.token(action),
            touches: Vec::new(),
            any_order: false,
            turn: None,
            label: action_label(action),
            kind: String::new(),
            preview: Vec::new(),
            warning: None,
        };
        match action.deed() {
            Deed::Set(place) => {
                "set".clone_into(&mut view.kind);
                view.touches = vec![ring::name(place)];
                view.preview = vec![marker_piece(state.seat, place)];
            }
            Deed::Tile(pile, laid) => {
                "tile".clone_into(&mut view.kind);
                view.touches = vec![pile_cell(pile), cells::name(laid.cells()[0])];
                view.turn = Some(degrees(laid.direction()));
                view.warning = (state.piles[pile as usize].down > 0).then(|| Text::new("warning.draw"));
            }
            Deed::Marker(from, to) => {
                "marker".clone_into(&mut view.kind);
                view.touches = vec![ring::name(from), ring::name(to)];
                view.preview = vec![marker_piece(state.seat, to)];
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
        let key = format!("outcome.{}{}", outcome.reason, if tie { ".tie" } else { "" });
        Some(OutcomeView {
            winners: outcome.winners.iter().collect(),
            reason: outcome.reason.to_owned(),
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
