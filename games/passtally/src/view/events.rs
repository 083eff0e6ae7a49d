//! The events of an action, for log, animation and sound.

use tavola_core::view::{Change, Curve, Sound};
use tavola_core::{Draw, Event, Game, SmolStr, Text};

use super::labels::{seat_name, type_name};
use super::lines::{line, line_text, score_text};
use super::outcome::last_round;
use super::pieces::{face_pieces, half_id, half_piece, marker_piece, pile_piece};
use crate::actions::{Action, ActionKind, PileIndex};
use crate::cells::{self, Cell};
use crate::lines;
use crate::rim;
use crate::rules::{Passtally, TURN};
use crate::state::{Stage, State};
use crate::tiles::Placement;

/// The events of a legal action or chance outcome.
pub(crate) fn events_of(game: &Passtally, state: &State, action: Action) -> Vec<Event> {
    let mut after = *state;
    game.play_unchecked(&mut after, action);
    let mut recorder = Recorder { before: state, after: &after, events: Vec::new(), step: 0 };
    match action.kind() {
        ActionKind::PlaceMarker(position) => {
            let text =
                Text::new("event.place-marker").with("seat", seat_name(state.seat)).with("cell", rim::name(position));
            let piece = marker_piece(state.seat, position);
            recorder.record(Change::Placed { piece }, vec![rim::name(position)], Some(text), Some(Sound::Place));
            recorder.step += 1;
        }
        ActionKind::PlaceTile(pile, placement) => recorder.tile(pile, placement),
        ActionKind::MoveMarker(from, to) => {
            let text = Text::new("event.move-marker")
                .with("seat", seat_name(state.seat))
                .with("from", rim::name(from))
                .with("cell", rim::name(to));
            let way = rim::way(from, to).into_iter().map(rim::name).collect();
            let change = Change::Moved { id: rim::name(from), piece: marker_piece(state.seat, to) };
            recorder.record(change, way, Some(text), Some(Sound::Step));
            recorder.step += 1;
        }
        ActionKind::Reveal(pile, tile_type) => {
            let text = Text::new("event.reveal").with("pile", i64::from(pile) + 1).with("type", type_name(tile_type));
            let (mut text, mut sound) = (Some(text), Some(Sound::Flip));
            for piece in face_pieces(pile, tile_type) {
                recorder.record(Change::Placed { piece }, Vec::new(), text.take(), sound.take());
            }
            recorder.step += 1;
        }
    }
    if turn_ends(state, &after) {
        recorder.score();
    }
    if last_round(state).is_none()
        && let Some(why) = last_round(&after)
    {
        recorder.announce(Text::new("event.last").with("reason", why));
    }
    if let Some(outcome) = game.outcome_view(&after) {
        recorder.record(Change::Announced, Vec::new(), Some(outcome.text), Some(Sound::End));
    }
    recorder.events
}

/// Whether a turn ended between two states.
fn turn_ends(before: &State, after: &State) -> bool {
    let Stage::Turn { taken } = before.stage else { return false };
    after.is_over() || taken + 1 >= TURN && after.stage == (Stage::Turn { taken: 0 })
}

struct Recorder<'a> {
    before: &'a State,
    after: &'a State,
    events: Vec<Event>,
    step: u16,
}

impl Recorder<'_> {
    /// Record an event at the present step.
    fn record(&mut self, change: Change, cells: Vec<SmolStr>, text: Option<Text>, sound: Option<Sound>) {
        self.events.push(Event { step: self.step, change, cells, line: None, text, sound });
    }

    /// Record a text without a change, as a step of its own.
    fn announce(&mut self, text: Text) {
        self.record(Change::Announced, Vec::new(), Some(text), None);
        self.step += 1;
    }

    fn tile(&mut self, pile: PileIndex, placement: Placement) {
        let [first, second] = placement.cells();
        let text = Text::new("event.place-tile")
            .with("seat", seat_name(self.before.seat))
            .with("type", type_name(placement.tile_type))
            .with("cell", cells::name(first))
            .with("second", cells::name(second))
            .with("level", i64::from(self.after.board.top(first).height()));
        let (mut text, mut sound) = (Some(text), Some(Sound::Lay));
        for (half, cell) in (0..).zip([first, second]) {
            if let Some(piece) = half_piece(self.after, cell) {
                let change = Change::Moved { id: pile_piece(pile, half), piece };
                self.record(change, vec![cells::name(cell)], text.take(), sound.take());
            }
        }
        self.step += 1;
        self.cover([first, second]);
    }

    /// Remove the covered halves from the view, and show their other halves as single.
    fn cover(&mut self, covered: [Cell; 2]) {
        let before = self.before.board;
        let count = self.events.len();
        for cell in covered {
            let top = before.top(cell);
            if top.height() == 0 {
                continue;
            }
            self.record(Change::Removed { id: half_id(cell, top.height()) }, Vec::new(), None, None);
            let partner = top.joint().and_then(|side| cells::neighbour(cell, side));
            if let Some(piece) = partner.and_then(|partner| half_piece(self.after, partner)) {
                self.record(Change::Changed { id: piece.id.clone(), piece }, Vec::new(), None, None);
            }
        }
        self.step += u16::from(self.events.len() > count);
    }

    /// Record the seat's lines one by one, and their score.
    fn score(&mut self) {
        let seat = self.before.seat;
        let board = &self.after.board;
        for (from, run) in lines::joining(board, self.after.markers[seat as usize]) {
            let drawn: Curve = line(self.after, seat, from, run);
            let (start, end) = (rim::name(from), rim::name(run.end));
            let text = line_text("event.line", seat, &start, &end, run.passes);
            self.events.push(Event {
                step: self.step,
                change: Change::Announced,
                cells: vec![start, end],
                line: Some(drawn),
                text: Some(text),
                sound: Some(Sound::Step),
            });
            self.step += 1;
        }
        self.announce(score_text("event", self.after, seat));
    }
}
