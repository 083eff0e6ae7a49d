//! The legal actions as the view offers them.

use tavola_core::view::{ActionView, MoveLabel};
use tavola_core::{Game, Interner, Notation, Seat, Shared, Text, ToSmolStr, format_smolstr};

use super::pieces::{chip, pawn};
use crate::actions::{Action, ActionKind};
use crate::hex::{DIRECTIONS, Hex};
use crate::rules::Potlatch;
use crate::stacks::{BLANK, NEUTRAL_THREE};
use crate::state::State;

/// The arrow of a direction.
fn arrow(direction: usize) -> &'static str {
    match DIRECTIONS[direction].0 {
        "e" => "→",
        "ne" => "↗",
        "nw" => "↖",
        "se" => "↘",
        "sw" => "↙",
        _ => "←",
    }
}

impl Potlatch {
    /// An action for the list of moves: the piece, its direction, and the height where it goes.
    pub(crate) fn label_of_move(state: &State, action: Action) -> MoveLabel {
        let own = state.pawn();
        let (from, way) = (state.places[own as usize], arrow(action.direction()));
        let tile = state.beside(own, action.direction());
        let is_pawn = action.kind() == ActionKind::PawnMove;
        let stacks = if is_pawn { state.stacks } else { state.increased() };
        let (kind, symbol) = if is_pawn {
            ("pawn", pawn(state.seat(), from, 0).symbol.clone())
        } else {
            ("chip", chip(from, 0, NEUTRAL_THREE).symbol.clone())
        };
        let text = match tile {
            BLANK => Text::new(format_smolstr!("move.{kind}.new")),
            tile => {
                let height = stacks.height(tile);
                match (is_pawn, height) {
                    (true, 0) => Text::new("move.pawn.0"),
                    (true, _) => Text::new("move.pawn").with("n", height),
                    (false, _) => Text::new("move.chip").with("n", height + 1),
                }
            }
        };
        let to = from.step(action.direction());
        MoveLabel {
            symbols: vec![symbol],
            text: text.with("way", way),
            cells: vec![from.to_smolstr(), to.to_smolstr()],
        }
    }

    pub(crate) fn action_views(&self, state: &State) -> Vec<Shared<ActionView>> {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        let own = state.pawn();
        let from = state.places[own as usize];
        let after = state.increased();
        let choice = |action: Action| {
            let tile = state.beside(own, action.direction());
            let stacks = if action.kind() == ActionKind::PawnMove { state.stacks } else { after };
            let height = (tile != BLANK).then(|| stacks.height(tile));
            self.action_view(action, state.seat(), from, height)
        };
        actions.into_iter().map(choice).collect()
    }

    /// The view of an action: the seat, its pawn's hex, and the height of the target tile if there is one.
    fn action_view(&self, action: Action, seat: Seat, from: Hex, height: Option<u8>) -> Shared<ActionView> {
        static ACTIONS: Interner<(Action, Seat, Hex, Option<u8>), ActionView> = Interner::new();
        ACTIONS.get((action, seat, from, height), |_| {
            let to = from.step(action.direction());
            let new = if height.is_none() { ".new" } else { "" };
            let level = height.unwrap_or(0);
            let (kind, touches, piece) = match action.kind() {
                ActionKind::PawnMove => ("move-pawn", vec![to.to_smolstr()], pawn(seat, to, level)),
                ActionKind::ChipMove => {
                    ("move-chip", vec![from.to_smolstr(), to.to_smolstr()], chip(to, level, NEUTRAL_THREE))
                }
            };
            ActionView {
                token: self.token(action),
                touches,
                any_order: false,
                turn: None,
                label: Text::new(format_smolstr!("action.{kind}{new}")).with("cell", to.to_smolstr()),
                kind: kind.into(),
                preview: vec![piece],
                warning: None,
            }
        })
    }
}
