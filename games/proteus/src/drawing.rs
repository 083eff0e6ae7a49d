//! How a position looks. Cells and pieces that look the same in many positions are made once.

use std::sync::LazyLock;

use tavola_core::view::{
    ActionView, Area, Cell as ViewCell, Counter, OutcomeView, Piece, SeatView, Shape as CellShape,
};
use tavola_core::{
    Actor, Draw, Event, Game, Interner, Notation, Refusal, Seat, Shared, SmolStr, Text, View, format_smolstr,
};

use crate::actions::{Action, Deed};
use crate::board::{self, CELLS, Cell};
use crate::cards::rule_name;
use crate::pieces::{COLOURS, SHAPES, Shape, TILES, Tile, YELLOW, colour_of, shape_of, tile, tile_name};
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::state::{NONE, Reason, State};
use crate::story;

const SEATS: [&str; 2] = ["black", "white"];

impl Draw for Proteus {
    fn view(&self, state: &State, _viewer: Option<Seat>) -> View {
        let acting = match self.to_act(state) {
            Actor::Seat(seat) => Some(seat as i8),
            Actor::Chance | Actor::Terminal => None,
        };
        View {
            game: Self::INFO.name.into(),
            to_act: acting,
            turn: self.turn(state),
            prompt: self.prompt(state),
            areas: areas(state),
            pieces: pieces(self, state),
            seats: (0..2).map(|seat| self.seat_view(state, seat)).collect(),
            supply: vec![Shared::from(supply(state))],
            cards: self.cards(state),
            lines: Vec::new(),
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

    fn touch_refusal(&self, state: &State, touched: &[SmolStr], _turn: Option<u16>) -> Option<Refusal> {
        self.refuse_touch(state, touched)
    }
}

fn supply(state: &State) -> Counter {
    match state.count {
        Some(count) => Counter {
            id: "count".into(),
            label: Text::new("counter.count"),
            value: count.into(),
            of: Some(MOST_ACTIONS.into()),
            symbol: None,
        },
        None => Counter {
            id: "pool".into(),
            label: Text::new("counter.pool"),
            value: state.board.pool().count_ones().into(),
            of: None,
            symbol: None,
        },
    }
}

fn cell(id: SmolStr, x: f64, y: f64, symbol: Option<&'static str>, label: Text) -> Shared<ViewCell> {
    let symbol = symbol.map(SmolStr::new_static);
    Shared::interned(ViewCell { id, x, y, symbol, label, marks: Vec::new(), value: None, part_of: None })
}

/// The cell of the pool where a tile waits.
pub(crate) fn pool_cell(tile: Tile) -> SmolStr {
    format_smolstr!("pool-{}", tile_name(tile))
}

/// The cell where a counter waits.
pub(crate) fn hand_cell(seat: Seat, shape: Shape) -> SmolStr {
    format_smolstr!("hand-{seat}-{}", SHAPES[shape as usize])
}

fn areas(state: &State) -> Vec<Area> {
    static ALL: LazyLock<[Area; 4]> = LazyLock::new(|| [board_area(), pool_area(), hand_area(0), hand_area(1)]);
    let shown = |area: &&Area| match &*area.id {
        "board" => true,
        // An empty pool takes no room.
        "pool" => state.count.is_none() && state.board.pool() > 0,
        _ => state.count.is_none(),
    };
    ALL.iter().filter(shown).cloned().collect()
}

fn board_area() -> Area {
    let squares = (0..CELLS).map(|place| {
        let (x, y) = (f64::from(place % 3), f64::from(2 - place / 3));
        cell(board::name(place), x, y, Some("cell"), Text::new("cell").with("cell", board::name(place)))
    });
    Area { id: "board".into(), shape: CellShape::Square, label: Text::new("area.board"), cells: squares.collect() }
}

/// Below the board in two rows, as wide as it is with the hands: all of it is about as high as wide, for any screen.
fn pool_area() -> Area {
    let pool = (0..TILES).map(|tile| {
        let (x, y) = if tile < 5 { (f64::from(tile) - 1.0, 3.25) } else { (f64::from(tile) - 5.5, 4.25) };
        cell(pool_cell(tile), x, y, Some("tray"), Text::new("cell.pool").with("piece", tile_label(tile)))
    });
    Area { id: "pool".into(), shape: CellShape::Free, label: Text::new("area.pool"), cells: pool.collect() }
}

/// Beside the board, as the seats stand beside each other.
fn hand_area(seat: Seat) -> Area {
    let x = if seat == 0 { -1.0 } else { 3.0 };
    let cells = (0..3).map(|shape| {
        let label = Text::new("cell.hand").with("piece", counter_label(seat, shape));
        cell(hand_cell(seat, shape), x, f64::from(shape), None, label)
    });
    Area {
        id: format_smolstr!("hand-{seat}"),
        shape: CellShape::Free,
        label: Text::new(format_smolstr!("area.hand.{seat}")),
        cells: cells.collect(),
    }
}

fn shape_name(shape: Shape) -> Text {
    Text::new(format_smolstr!("shape.{}", SHAPES[shape as usize]))
}

fn colour_name(tile: Tile) -> Text {
    Text::new(format_smolstr!("colour.{}", COLOURS[colour_of(tile) as usize]))
}

pub(crate) fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}

/// What a tile is called without its facing.
pub(crate) fn tile_label(tile: Tile) -> Text {
    Text::new("piece.tile").with("colour", colour_name(tile)).with("shape", shape_name(shape_of(tile)))
}

pub(crate) fn counter_label(seat: Seat, shape: Shape) -> Text {
    Text::new("piece.counter").with("seat", seat_name(seat)).with("shape", shape_name(shape))
}

/// A tile as it lies: on a cell of the board, or in the pool.
pub(crate) fn tile_piece(game: &Proteus, state: &State, tile: Tile, at: SmolStr) -> Shared<Piece> {
    static TILES_LAID: Interner<(Tile, Option<&str>, SmolStr), Piece> = Interner::new();
    let up = state.board.is_up(tile).then(|| game.faces.rule(tile));
    TILES_LAID.get((tile, up, at), |(_, _, at)| {
        let label = Text::new(if up.is_some() { "piece.tile.up" } else { "piece.tile.down" })
            .with("colour", colour_name(tile))
            .with("shape", shape_name(shape_of(tile)));
        let (symbol, label) = match up {
            Some(rule) => (format_smolstr!("tile-{}-up-{rule}", tile_name(tile)), label.with("rule", rule_name(rule))),
            None => (format_smolstr!("tile-{}", tile_name(tile)), label),
        };
        Piece { id: tile_name(tile), cell: at.clone(), symbol, label, storey: 0, turn: 0, owner: None }
    })
}

/// A counter as it stands: on a tile, or in hand.
pub(crate) fn counter_piece(seat: Seat, shape: Shape, at: SmolStr, storey: u8) -> Shared<Piece> {
    static COUNTERS: Interner<(Seat, Shape, SmolStr, u8), Piece> = Interner::new();
    COUNTERS.get((seat, shape, at, storey), |(_, _, at, _)| {
        let letter = SHAPES[shape as usize];
        Piece {
            id: format_smolstr!("{seat}-{letter}"),
            cell: at.clone(),
            symbol: format_smolstr!("counter-{seat}-{letter}"),
            label: counter_label(seat, shape),
            storey,
            turn: 0,
            owner: Some(seat),
        }
    })
}

fn pieces(game: &Proteus, state: &State) -> Vec<Shared<Piece>> {
    let mut pieces = Vec::new();
    for tile in 0..TILES {
        match state.board.cell_of(tile) {
            Some(cell) => pieces.push(tile_piece(game, state, tile, board::name(cell))),
            None if state.count.is_none() => pieces.push(tile_piece(game, state, tile, pool_cell(tile))),
            None => {}
        }
    }
    for counter in 0..6 {
        let (seat, shape) = (counter / 3, counter % 3);
        pieces.push(match state.board.counter_cell(counter) {
            NONE => counter_piece(seat, shape, hand_cell(seat, shape), 0),
            cell => counter_piece(seat, shape, board::name(cell), 1),
        });
    }
    pieces
}

impl Proteus {
    fn prompt(&self, state: &State) -> Text {
        if state.end.is_some() {
            return Text::new("prompt.over");
        }
        if state.count.is_some() {
            return Text::new("prompt.move");
        }
        let key = match (state.board.pool() > 0, state.board.has_hand(state.seat)) {
            (true, true) => "prompt.place",
            (true, false) => "prompt.place-tile",
            (false, true) => "prompt.place-counter",
            (false, false) => "prompt.pass",
        };
        self.with_reason(state, Text::new(key))
    }

    fn seat_view(&self, state: &State, seat: Seat) -> SeatView {
        // What is in hand lies beside the board, and is not counted again.
        let mut counters = Vec::new();
        if let (Some(goal), Some(shape)) = (self.goal(state), state.board.up(YELLOW)) {
            counters.push(Shared::from(Counter {
                id: "goal".into(),
                label: Text::new("counter.goal"),
                value: state.board.fitting(seat, goal).count_ones().into(),
                of: Some(3),
                symbol: Some(format_smolstr!("emblem-{}", self.faces.rule(tile(YELLOW, shape)))),
            }));
        }
        SeatView { seat, name: seat_name(seat), symbol: format_smolstr!("seat-{}", SEATS[seat as usize]), counters }
    }

    pub(crate) fn action_views(&self, state: &State) -> Vec<Shared<ActionView>> {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions.into_iter().map(|action| self.action_view(state, action)).collect()
    }

    pub(crate) fn action_view(&self, state: &State, action: Action) -> Shared<ActionView> {
        /// By the action, its seat, and the symbols of what it brings.
        static ACTIONS: Interner<(Action, Seat, [SmolStr; 2]), ActionView> = Interner::new();
        let preview = self.preview(state, action);
        let symbol = |piece: Option<&Shared<Piece>>| piece.map(|piece| piece.symbol.clone()).unwrap_or_default();
        let symbols = [symbol(preview.first()), symbol(preview.get(1))];
        ACTIONS.get((action, state.seat, symbols), |_| self.chosen(state.seat, action, preview))
    }

    /// What stands where after an action that did not stand there before.
    fn preview(&self, state: &State, action: Action) -> Vec<Shared<Piece>> {
        let at = |cell: Cell| board::name(cell);
        match action.deed() {
            Deed::Tile(tile, cell) => vec![tile_piece(self, state, tile, at(cell))],
            Deed::Counter(shape, cell) => vec![counter_piece(state.seat, shape, at(cell), 1)],
            Deed::Move(from, to) => {
                let counter = state.board.counter(from);
                counter.map(|counter| counter_piece(state.seat, counter % 3, at(to), 1)).into_iter().collect()
            }
            Deed::Trade(one, other) => [(one, other), (other, one)]
                .into_iter()
                .filter_map(|(from, to)| Some(tile_piece(self, state, state.board.tile(from)?, at(to))))
                .collect(),
            Deed::Pass => Vec::new(),
        }
    }

    fn chosen(&self, seat: Seat, action: Action, preview: Vec<Shared<Piece>>) -> ActionView {
        let at = |cell: Cell| board::name(cell);
        let (kind, touches, label) = match action.deed() {
            Deed::Tile(tile, cell) => (
                "tile",
                vec![pool_cell(tile), at(cell)],
                Text::new("action.tile").with("piece", tile_label(tile)).with("cell", at(cell)),
            ),
            Deed::Counter(shape, cell) => (
                "counter",
                vec![hand_cell(seat, shape), at(cell)],
                Text::new("action.counter").with("piece", counter_label(seat, shape)).with("cell", at(cell)),
            ),
            Deed::Move(from, to) => {
                ("move", vec![at(from), at(to)], Text::new("action.move").with("from", at(from)).with("cell", at(to)))
            }
            Deed::Trade(one, other) => (
                "trade",
                vec![at(one), at(other)],
                Text::new("action.trade").with("from", at(one)).with("cell", at(other)),
            ),
            Deed::Pass => ("pass", Vec::new(), Text::new("action.pass")),
        };
        ActionView {
            token: self.token(action),
            touches,
            any_order: kind == "trade",
            turn: None,
            label,
            kind: kind.into(),
            preview,
            warning: None,
        }
    }

    pub(crate) fn outcome_view(&self, state: &State) -> Option<OutcomeView> {
        let end = state.end?;
        let outcome = end.outcome();
        let text = match (end.winner, end.reason) {
            (Some(winner), _) => Text::new("outcome.goal").with("seat", seat_name(winner)),
            (None, Reason::Repetition) => Text::new("outcome.repetition.draw"),
            (None, Reason::Goal | Reason::Limit) => Text::new("outcome.limit.draw"),
        };
        Some(OutcomeView {
            winners: outcome.winners.iter().collect(),
            reason: outcome.reason.into(),
            text,
            returns: outcome.returns(self.seats()),
        })
    }
}
