//! The legal actions as the view offers them.

use tavola_core::view::{ActionView, MoveLabel};
use tavola_core::{Game, Interner, Notation, Seat, Shared, SmolStr, Text};

use super::board::{degrees, pile_cell};
use super::labels::{region_name, side_name, type_name};
use super::pieces::{face_pieces, marker_piece};
use crate::actions::{Action, ActionKind};
use crate::cells;
use crate::rim;
use crate::rules::Passtally;
use crate::state::State;

impl Passtally {
    pub(crate) fn action_views(&self, state: &State) -> Vec<Shared<ActionView>> {
        static ACTIONS: Interner<(Action, Seat, bool), ActionView> = Interner::new();
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        let choice = |action: Action| {
            // A tile's action view is the same for all seats, but depends on whether it reveals another tile.
            let (seat, draws) = match action.kind() {
                ActionKind::PlaceTile(pile, _) => (0, state.piles[pile as usize].down > 0),
                ActionKind::PlaceMarker(_) | ActionKind::MoveMarker(..) | ActionKind::Reveal(..) => (state.seat, false),
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
        match action.kind() {
            ActionKind::PlaceMarker(position) => {
                view.kind = "place-marker".into();
                view.touches = vec![rim::name(position)];
                view.preview = vec![marker_piece(seat, position)];
            }
            ActionKind::PlaceTile(pile, placement) => {
                view.kind = "place-tile".into();
                view.touches = vec![pile_cell(pile), cells::name(placement.cells()[0])];
                view.turn = Some(degrees(placement.direction()));
                view.warning = draws.then(|| Text::new("warning.reveal"));
            }
            ActionKind::MoveMarker(from, to) => {
                view.kind = "move-marker".into();
                view.touches = vec![rim::name(from), rim::name(to)];
                view.preview = vec![marker_piece(seat, to)];
            }
            ActionKind::Reveal(..) => {}
        }
        view
    }
}

/// An action for the list of moves: its piece, and the side or the part of the board where it goes.
pub(crate) fn label_of_move(state: &State, action: Action) -> MoveLabel {
    let side = |position| side_name(rim::side_of(position));
    let tile = |tile_type| face_pieces(0, tile_type).map(|half| half.symbol.clone()).to_vec();
    match action.kind() {
        ActionKind::PlaceMarker(position) => MoveLabel {
            symbols: vec![marker_piece(state.seat, position).symbol.clone()],
            text: Text::new("move.marker.new").with("to", side(position)),
            cells: vec![rim::name(position)],
        },
        ActionKind::MoveMarker(from, to) => {
            let key = if rim::side_of(from) == rim::side_of(to) { "move.marker.along" } else { "move.marker" };
            let text = Text::new(key).with("to", side(to));
            MoveLabel {
                symbols: vec![marker_piece(state.seat, to).symbol.clone()],
                text: if key == "move.marker" { text.with("from", side(from)) } else { text },
                cells: vec![rim::name(from), rim::name(to)],
            }
        }
        ActionKind::PlaceTile(_, placement) => {
            let [first, second] = placement.cells();
            MoveLabel {
                symbols: tile(placement.tile_type),
                text: Text::new("move.tile")
                    .with("to", region_name(first))
                    .with("level", i64::from(state.board.top(first).height()) + 1),
                cells: vec![cells::name(first), cells::name(second)],
            }
        }
        ActionKind::Reveal(_, tile_type) => {
            MoveLabel { symbols: tile(tile_type), text: Text::new("move.reveal"), cells: Vec::new() }
        }
    }
}

fn action_label(action: Action) -> Text {
    match action.kind() {
        ActionKind::PlaceMarker(position) => Text::new("action.place-marker").with("cell", rim::name(position)),
        ActionKind::PlaceTile(pile, placement) => {
            let [first, second] = placement.cells();
            Text::new("action.place-tile")
                .with("type", type_name(placement.tile_type))
                .with("pile", i64::from(pile) + 1)
                .with("cell", cells::name(first))
                .with("second", cells::name(second))
        }
        ActionKind::MoveMarker(from, to) => {
            Text::new("action.move-marker").with("from", rim::name(from)).with("cell", rim::name(to))
        }
        ActionKind::Reveal(pile, tile_type) => {
            Text::new("event.reveal").with("pile", i64::from(pile) + 1).with("type", type_name(tile_type))
        }
    }
}
