//! The view of a position: board, actions, events, and reasons why an action is illegal.

mod actions;
mod board;
mod cards;
mod events;
mod illegal;
pub(crate) mod labels;
mod outcome;
mod pieces;

use tavola_core::view::{Counter, Decisive, MoveLabel, SeatView};
use tavola_core::{
    Draw, Event, Notation, Outcome, Refusal, Seat, Shared, Sketched, SmolStr, Text, View, format_smolstr,
};

use self::board::areas;
use self::labels::seat_name;
use self::pieces::pieces;
use crate::actions::Action;
use crate::pieces::{YELLOW, tile};
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::sketch::ProteusSketch;
use crate::state::State;

const SEATS: [&str; 2] = ["black", "white"];

impl Draw for Proteus {
    fn view(&self, state: &State, _viewer: Option<Seat>) -> View {
        View {
            areas: areas(state),
            pieces: pieces(self, state),
            seats: (0..2).map(|seat| self.seat_view(state, seat)).collect(),
            supply: vec![Shared::from(supply(state))],
            cards: self.cards(state),
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
        Some(self.label_of_move(state, action))
    }

    fn outcome_text(&self, _state: &State, outcome: &Outcome) -> Text {
        outcome::text(outcome)
    }

    fn decisive(&self, state: &State, outcome: &Outcome) -> Decisive {
        self.decisive_counters(state, outcome)
    }

    fn sketch(&self, text: &str) -> Sketched<'_> {
        let sketch = ProteusSketch::read(self, text).ok_or_else(|| self.parse_position(text).err().unwrap_or_default());
        Some(sketch.map(|sketch| Box::new(sketch) as _))
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

impl Proteus {
    fn prompt(&self, state: &State) -> Text {
        if state.end.is_some() {
            return Text::new("prompt.over");
        }
        if let Some(count) = state.count {
            let asked = Text::new(match self.effect_of_missing(state) {
                Some((key, _)) => format_smolstr!("prompt.missing.{key}"),
                None => "prompt.move".into(),
            });
            return if self.can_win(count + 1) { asked } else { Text::new("prompt.balance").with("prompt", asked) };
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
        // Pieces in hand are visible beside the board, so they are not counted here.
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
}
