//! The legal actions of the view: cells to select, labels and previews.

use tavola_core::view::{ActionView, MoveLabel, Piece};
use tavola_core::{Game, Interner, Notation, Seat, Shared, SmolStr, Text};

use crate::actions::{Action, ActionKind};
use crate::board::{self, Cell};
use crate::rules::Proteus;
use crate::state::State;
use crate::view::labels::{counter_label, hand_cell, place_name, pool_cell, tile_label};
use crate::view::pieces::{counter_piece, tile_piece};

impl Proteus {
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

    /// An action for the list of moves: its pieces, and where they go.
    pub(crate) fn label_of_move(&self, state: &State, action: Action) -> MoveLabel {
        let preview = self.preview(state, action);
        let between =
            |key: &str, from: Cell, to: Cell| Text::new(key).with("from", place_name(from)).with("to", place_name(to));
        let (text, cells) = match action.kind() {
            ActionKind::Tile(_, cell) | ActionKind::Counter(_, cell) => {
                (Text::new("move.place").with("to", place_name(cell)), vec![cell])
            }
            ActionKind::Move(from, to) => (between("move.counter", from, to), vec![from, to]),
            ActionKind::Trade(one, other) => (between("move.trade", one, other), vec![one, other]),
            ActionKind::Pass => (Text::new("action.pass"), Vec::new()),
        };
        MoveLabel {
            symbols: preview.iter().map(|piece| piece.symbol.clone()).collect(),
            text,
            cells: cells.into_iter().map(board::name).collect(),
        }
    }

    /// The pieces that an action puts on new cells.
    fn preview(&self, state: &State, action: Action) -> Vec<Shared<Piece>> {
        let at = |cell: Cell| board::name(cell);
        match action.kind() {
            ActionKind::Tile(tile, cell) => vec![tile_piece(self, state, tile, at(cell))],
            ActionKind::Counter(shape, cell) => vec![counter_piece(state.seat, shape, at(cell), 1)],
            ActionKind::Move(from, to) => {
                let counter = state.board.counter(from);
                counter.map(|counter| counter_piece(state.seat, counter % 3, at(to), 1)).into_iter().collect()
            }
            ActionKind::Trade(one, other) => [(one, other), (other, one)]
                .into_iter()
                .filter_map(|(from, to)| Some(tile_piece(self, state, state.board.tile(from)?, at(to))))
                .collect(),
            ActionKind::Pass => Vec::new(),
        }
    }

    fn chosen(&self, seat: Seat, action: Action, preview: Vec<Shared<Piece>>) -> ActionView {
        let at = |cell: Cell| board::name(cell);
        let (kind, touches, label) = match action.kind() {
            ActionKind::Tile(tile, cell) => (
                "tile",
                vec![pool_cell(tile), at(cell)],
                Text::new("action.tile").with("piece", tile_label(tile)).with("cell", at(cell)),
            ),
            ActionKind::Counter(shape, cell) => (
                "counter",
                vec![hand_cell(seat, shape), at(cell)],
                Text::new("action.counter").with("piece", counter_label(seat, shape)).with("cell", at(cell)),
            ),
            ActionKind::Move(from, to) => {
                ("move", vec![at(from), at(to)], Text::new("action.move").with("from", at(from)).with("cell", at(to)))
            }
            ActionKind::Trade(one, other) => (
                "trade",
                vec![at(one), at(other)],
                Text::new("action.trade").with("from", at(one)).with("cell", at(other)),
            ),
            ActionKind::Pass => ("pass", Vec::new(), Text::new("action.pass")),
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
}
