//! A view as one viewer receives it.

use serde::Serialize;
use smol_str::SmolStr;

use crate::interned::Shared;
use crate::text::Text;
use crate::view::{ActionView, Area, Card, Counter, Curve, OutcomeView, Piece, SeatView, View};

/// A view as one viewer receives it: without the actions unless the viewer is to act.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // as in `View`
pub struct VisibleView<'a> {
    pub game: &'a SmolStr,
    pub to_act: Option<i8>,
    pub turn: u32,
    pub prompt: &'a Text,
    pub areas: &'a [Area],
    pub pieces: &'a [Shared<Piece>],
    pub seats: &'a [SeatView],
    pub supply: &'a [Shared<Counter>],
    pub cards: &'a [Card],
    pub lines: &'a [Curve],
    pub actions: &'a [Shared<ActionView>],
    pub outcome: &'a Option<OutcomeView>,
}

impl View {
    /// The view with the actions, for the seat to act, or without them, for all others.
    pub fn visible(&self, with_actions: bool) -> VisibleView<'_> {
        VisibleView {
            game: &self.game,
            to_act: self.to_act,
            turn: self.turn,
            prompt: &self.prompt,
            areas: &self.areas,
            pieces: &self.pieces,
            seats: &self.seats,
            supply: &self.supply,
            cards: &self.cards,
            lines: &self.lines,
            actions: if with_actions { &self.actions } else { &[] },
            outcome: &self.outcome,
        }
    }

    /// The view as JSON, with the actions, for the seat to act, or without them, for all others.
    pub fn to_json(&self, with_actions: bool) -> String {
        serde_json::to_string(&self.visible(with_actions)).expect("views are plain data")
    }
}
