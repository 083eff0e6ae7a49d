//! The view: cells, pieces, legal actions, events, and why an action is illegal.

use tavola_core::view::{ActionView, Area, Cell, Change, Decisive, Piece, SeatView, Shape, Sound};
use tavola_core::{
    Draw, Event, Game, Notation, Outcome, Refusal, Seat, Shared, SmolStr, Text, ToSmolStr, View, format_smolstr,
};

use crate::actions::Action;
use crate::notation::square_name;
use crate::rules::TicTacToe;
use crate::state::{LINES, SQUARES, State};

const SYMBOLS: [&str; 2] = ["cross", "nought"];

impl Draw for TicTacToe {
    fn view(&self, state: &State, _viewer: Option<Seat>) -> View {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        let prompt = if self.outcome(state).is_some() { "prompt.over" } else { "prompt.mark" };
        View {
            areas: vec![Area {
                id: "board".into(),
                shape: Shape::Square,
                label: Text::new("area.board"),
                size: 1.0,
                cells: (0..SQUARES).map(cell).map(Shared::from).collect(),
            }],
            pieces: (0..SQUARES).filter_map(|square| piece_on(state, square)).collect(),
            seats: (0..2).map(seat_view).collect(),
            actions: actions.into_iter().map(|action| self.action_view(state, action)).collect(),
            ..self.blank_view(state, Text::new(prompt))
        }
    }

    fn events(&self, state: &State, action: Action) -> Vec<Event> {
        let mut after = state.clone();
        self.play_unchecked(&mut after, action);
        let square = square_name(action.0);
        let marked = Event {
            step: 0,
            change: Change::Placed { piece: mark(state.seat(), action.0) },
            cells: vec![square.clone()],
            line: None,
            text: Some(Text::new("event.mark").with("seat", seat_name(state.seat())).with("cell", square)),
            sound: Some(Sound::Place),
        };
        let ended = self.outcome_view(&after).map(|outcome| Event {
            step: 1,
            change: Change::Announced,
            cells: Vec::new(),
            line: None,
            text: Some(outcome.text),
            sound: Some(Sound::End),
        });
        [Some(marked), ended].into_iter().flatten().collect()
    }

    fn refusal(&self, state: &State, action: Action) -> Option<Refusal> {
        match self.outcome(state) {
            Some(_) => Some(illegal("illegal.over", 4)),
            None if state.empty() >> action.0 & 1 == 0 => Some(illegal("illegal.taken", 3)),
            None => None,
        }
    }

    fn touch_refusal(&self, state: &State, touched: &[SmolStr], _turn: Option<u16>) -> Option<Refusal> {
        // One touch is a whole action, so a second one is never legal.
        match touched {
            [] => None,
            [cell] => match self.parse_token(cell) {
                Some(action) => self.refusal(state, action),
                None => Some(illegal("illegal.nowhere", 1)),
            },
            _ => Some(illegal("illegal.one", 3)),
        }
    }

    fn outcome_text(&self, _state: &State, outcome: &Outcome) -> Text {
        let text = Text::new(format_smolstr!("outcome.{}", outcome.reason));
        outcome.winners.iter().fold(text, |text, winner| text.with("seat", seat_name(winner)))
    }

    fn decisive(&self, state: &State, _outcome: &Outcome) -> Decisive {
        let last = state.marks[usize::from(1 - state.seat())];
        let line = LINES.into_iter().filter(|line| last & line == *line).fold(0, |squares, line| squares | line);
        Decisive::cells((0..SQUARES).filter(|square| line >> square & 1 == 1).map(square_name))
    }
}

fn illegal(key: &'static str, clause: u32) -> Refusal {
    Refusal { text: Text::new(key), clause: clause.to_smolstr() }
}

fn seat_name(seat: Seat) -> Text {
    Text::new(format_smolstr!("seat.{seat}"))
}

fn seat_view(seat: Seat) -> SeatView {
    SeatView { seat, name: seat_name(seat), symbol: SYMBOLS[seat as usize].into(), counters: Vec::new() }
}

fn cell(square: u8) -> Cell {
    let name = square_name(square);
    Cell {
        id: name.clone(),
        x: f64::from(square % 3),
        y: f64::from(square / 3),
        symbol: Some("square".into()),
        label: Text::new("cell.square").with("cell", name),
        marks: Vec::new(),
        value: None,
        part_of: None,
    }
}

fn mark(seat: Seat, square: u8) -> Shared<Piece> {
    let name = square_name(square);
    Shared::from(Piece {
        id: format_smolstr!("mark-{name}"),
        cell: name,
        symbol: SYMBOLS[seat as usize].into(),
        label: Text::new(format_smolstr!("piece.mark.{seat}")),
        level: 0,
        turn: 0,
        owner: Some(seat),
    })
}

fn piece_on(state: &State, square: u8) -> Option<Shared<Piece>> {
    (0..2u8).find(|&seat| state.marks[seat as usize] >> square & 1 == 1).map(|seat| mark(seat, square))
}

impl TicTacToe {
    fn action_view(&self, state: &State, action: Action) -> Shared<ActionView> {
        let square = square_name(action.0);
        Shared::from(ActionView {
            token: self.token(action),
            touches: vec![square.clone()],
            any_order: false,
            turn: None,
            label: Text::new("action.mark").with("cell", square),
            kind: "mark".into(),
            preview: vec![mark(state.seat(), action.0)],
            warning: None,
        })
    }
}
