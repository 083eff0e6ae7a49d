//! The view of a position: board, actions, events, and reasons why an action is illegal.

mod actions;
pub(crate) mod board;
mod events;
pub(crate) mod illegal;
pub(crate) mod labels;
mod lines;
mod outcome;
mod panels;
pub(crate) mod pieces;

use tavola_core::view::{Decisive, MoveLabel, Prospect};
use tavola_core::{Draw, Event, Game, Notation, Outcome, Refusal, Seat, Sketched, SmolStr, Text, View};

use self::board::areas;
use self::labels::side_name;
use self::lines::{all_lines, score_text};
use self::panels::{cards, seat_view, supply};
use self::pieces::{all_pieces, half_piece, marker_piece};
use crate::actions::{Action, ActionKind};
use crate::cells::Side;
use crate::rules::{Passtally, TURN};
use crate::sketch::PasstallySketch;
use crate::state::{Stage, State};

impl Draw for Passtally {
    fn view(&self, state: &State, _viewer: Option<Seat>) -> View {
        View {
            areas: areas(state),
            pieces: all_pieces(state),
            seats: (0..self.seats).map(|seat| seat_view(state, seat)).collect(),
            supply: supply(state),
            cards: cards(state),
            lines: all_lines(state),
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

    fn touch_refusal(&self, state: &State, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal> {
        self.why_touch_illegal(state, touched, turn)
    }

    fn prospect(&self, state: &State, action: Action) -> Prospect {
        let mut after = *state;
        self.play_unchecked(&mut after, action);
        let pieces = match action.kind() {
            ActionKind::PlaceTile(_, placement) => {
                placement.cells().into_iter().filter_map(|cell| half_piece(&after, cell)).collect()
            }
            ActionKind::PlaceMarker(position) | ActionKind::MoveMarker(_, position) => {
                vec![marker_piece(state.seat, position)]
            }
            ActionKind::Reveal(..) => Vec::new(),
        };
        let texts = (0..self.seats).map(|seat| score_text("prospect", &after, seat)).collect();
        Prospect { pieces, lines: all_lines(&after), texts, ..Prospect::default() }
    }

    fn move_label(&self, state: &State, action: Action) -> Option<MoveLabel> {
        Some(actions::label_of_move(state, action))
    }

    fn outcome_text(&self, state: &State, outcome: &Outcome) -> Text {
        outcome::text(state, outcome, self.winner(state))
    }

    fn decisive(&self, state: &State, _outcome: &Outcome) -> Decisive {
        outcome::decisive(state, self.winner(state))
    }

    fn sketch(&self, text: &str) -> Sketched<'_> {
        let sketch =
            PasstallySketch::read(self, text).ok_or_else(|| self.parse_position(text).err().unwrap_or_default());
        Some(sketch.map(|sketch| Box::new(sketch) as _))
    }
}

impl Passtally {
    fn prompt(&self, state: &State) -> Text {
        if let Some(pile) = state.due {
            return Text::new("prompt.reveal").with("pile", i64::from(pile) + 1);
        }
        match state.stage {
            Stage::Over => Text::new("prompt.over"),
            Stage::Turn { taken } => Text::new("prompt.act").with("n", i64::from(TURN - taken)),
            Stage::SetUp { placed, named } => {
                let sides = State::sides(placed, named, self.seats);
                match sides.count_ones() {
                    1 => Text::new("prompt.place-marker").with("side", side_name(sides.trailing_zeros() as Side)),
                    2 => Text::new("prompt.place-marker.sides"),
                    _ => Text::new("prompt.place-marker.any"),
                }
            }
        }
    }
}
