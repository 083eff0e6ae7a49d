//! The view of a position: board, actions, events, and reasons why an action is illegal.

mod actions;
mod board;
mod events;
mod illegal;
pub(crate) mod labels;
mod outcome;
mod pieces;

use tavola_core::view::{Counter, Decisive, MoveLabel, SeatView};
use tavola_core::{
    Draw, Event, Notation, Outcome, Refusal, Seat, Shared, Sketched, SmolStr, Text, View, format_smolstr,
};

use self::labels::{COLOURS, seat_name};
use self::pieces::all_pieces;
use crate::actions::Action;
use crate::position::read_start;
use crate::rules::Potlatch;
use crate::sketch::PotlatchSketch;
use crate::state::State;

impl Draw for Potlatch {
    fn view(&self, state: &State, _viewer: Option<Seat>) -> View {
        View {
            areas: vec![self.board(state)],
            pieces: all_pieces(state),
            seats: (0..2).map(|seat| seat_view(state, seat)).collect(),
            supply: vec![Shared::from(Counter {
                id: "tiles".into(),
                label: Text::new("counter.tiles"),
                value: i64::from(self.tiles - state.tiles),
                of: None,
                symbol: Some("tile".into()),
            })],
            actions: self.action_views(state),
            ..self.blank_view(state, self.prompt(state))
        }
    }

    fn is_public(&self, _state: &State) -> bool {
        true
    }

    fn events(&self, state: &State, action: Action) -> Vec<Event> {
        events::events_of(self, state, action)
    }

    fn refusal(&self, state: &State, action: Action) -> Option<Refusal> {
        self.why_illegal(state, action)
    }

    fn touch_refusal(&self, state: &State, touched: &[SmolStr], _turn: Option<u16>) -> Option<Refusal> {
        self.why_touch_illegal(state, touched)
    }

    fn move_label(&self, state: &State, action: Action) -> Option<MoveLabel> {
        Some(Self::label_of_move(state, action))
    }

    fn outcome_text(&self, _state: &State, outcome: &Outcome) -> Text {
        outcome::text(outcome)
    }

    fn decisive(&self, state: &State, outcome: &Outcome) -> Decisive {
        self.decisive_tiles(state, outcome)
    }

    fn sketch(&self, text: &str) -> Sketched<'_> {
        let sketch = self
            .parse_position(text)
            .map(|state| PotlatchSketch::of(self, state))
            .or_else(|error| read_start(text).and_then(|start| PotlatchSketch::from_fields(self, start)).ok_or(error));
        Some(sketch.map(|sketch| Box::new(sketch) as _))
    }
}

fn seat_view(state: &State, seat: Seat) -> SeatView {
    let colour = COLOURS[seat as usize];
    SeatView {
        seat,
        name: seat_name(seat),
        symbol: format_smolstr!("seat-{colour}"),
        counters: vec![Shared::from(Counter {
            id: "stacks".into(),
            label: Text::new("counter.stacks"),
            value: i64::from(state.stacks.of_seat(seat).len()),
            of: Some(3),
            symbol: Some(format_smolstr!("chip-{colour}")),
        })],
    }
}

impl Potlatch {
    fn prompt(&self, state: &State) -> Text {
        if state.end.is_some() {
            return Text::new("prompt.over");
        }
        let (walks, chips) = (state.legal >> 6, state.legal & 0x3F);
        let key = match (walks, chips) {
            (0, _) => "prompt.chip-only",
            (_, 0) => "prompt.pawn-only",
            _ => "prompt.act",
        };
        Text::new(key).with("n", i64::from(self.actions - state.taken))
    }
}
