//! What an action did, event by event.

use tavola_core::view::{Change, Line, Sound};
use tavola_core::{Event, Game, SmolStr, Text};

use crate::actions::{Action, Deed, Pile};
use crate::cells::{self, Cell};
use crate::drawing::{last_round, line, line_text, score_text, seat_name, type_name};
use crate::lines;
use crate::pieces::{face_pieces, half_id, half_piece, marker_piece, pile_piece};
use crate::ring;
use crate::rules::{Passtally, TURN};
use crate::state::{Stage, State};
use crate::tiles::Laid;

/// The events of a legal action or chance outcome.
pub(crate) fn tell(game: &Passtally, state: &State, action: Action) -> Vec<Event> {
    let mut after = *state;
    game.play_unchecked(&mut after, action);
    let mut story = Story { before: state, after: &after, events: Vec::new(), step: 0 };
    match action.deed() {
        Deed::Set(place) => {
            let text = Text::new("event.set").with("seat", seat_name(state.seat)).with("cell", ring::name(place));
            let piece = marker_piece(state.seat, place);
            story.tell(Change::Placed { piece }, vec![ring::name(place)], Some(text), Some(Sound::Place));
            story.step += 1;
        }
        Deed::Tile(pile, laid) => story.tile(pile, laid),
        Deed::Marker(from, to) => {
            let text = Text::new("event.marker")
                .with("seat", seat_name(state.seat))
                .with("from", ring::name(from))
                .with("cell", ring::name(to));
            let way = ring::way(from, to).into_iter().map(ring::name).collect();
            let change = Change::Moved { id: ring::name(from), piece: marker_piece(state.seat, to) };
            story.tell(change, way, Some(text), Some(Sound::Step));
            story.step += 1;
        }
        Deed::Draw(pile, kind) => {
            let text = Text::new("event.draw").with("pile", i64::from(pile) + 1).with("type", type_name(kind));
            let (mut text, mut sound) = (Some(text), Some(Sound::Flip));
            for piece in face_pieces(pile, kind) {
                story.tell(Change::Placed { piece }, Vec::new(), text.take(), sound.take());
            }
            story.step += 1;
        }
    }
    if turn_ends(state, &after) {
        story.score();
    }
    if last_round(state).is_none()
        && let Some(why) = last_round(&after)
    {
        story.say(Text::new("event.last").with("reason", why));
    }
    if let Some(outcome) = game.outcome_view(&after) {
        story.tell(Change::Told, Vec::new(), Some(outcome.text), Some(Sound::End));
    }
    story.events
}

/// Whether a turn ended between two positions.
fn turn_ends(before: &State, after: &State) -> bool {
    let Stage::Turn { taken } = before.stage else { return false };
    after.is_over() || taken + 1 >= TURN && after.stage == (Stage::Turn { taken: 0 })
}

struct Story<'a> {
    before: &'a State,
    after: &'a State,
    events: Vec<Event>,
    step: u16,
}

impl Story<'_> {
    /// Adds an event at the present step.
    fn tell(&mut self, change: Change, cells: Vec<SmolStr>, text: Option<Text>, sound: Option<Sound>) {
        self.events.push(Event { step: self.step, change, cells, line: None, text, sound });
    }

    /// Says something, at a step of its own.
    fn say(&mut self, text: Text) {
        self.tell(Change::Told, Vec::new(), Some(text), None);
        self.step += 1;
    }

    fn tile(&mut self, pile: Pile, laid: Laid) {
        let [first, second] = laid.cells();
        let text = Text::new("event.tile")
            .with("seat", seat_name(self.before.seat))
            .with("type", type_name(laid.kind))
            .with("cell", cells::name(first))
            .with("second", cells::name(second))
            .with("storey", i64::from(self.after.board.top(first).height()));
        let (mut text, mut sound) = (Some(text), Some(Sound::Lay));
        for (half, cell) in (0..).zip([first, second]) {
            if let Some(piece) = half_piece(self.after, cell) {
                let change = Change::Moved { id: pile_piece(pile, half), piece };
                self.tell(change, vec![cells::name(cell)], text.take(), sound.take());
            }
        }
        self.step += 1;
        self.cover([first, second]);
    }

    /// What lies under the tile goes out of sight, and its other halves are alone.
    fn cover(&mut self, covered: [Cell; 2]) {
        let before = self.before.board;
        let count = self.events.len();
        for cell in covered {
            let top = before.top(cell);
            if top.height() == 0 {
                continue;
            }
            self.tell(Change::Removed { id: half_id(cell, top.height()) }, Vec::new(), None, None);
            let partner = top.joint().and_then(|side| cells::neighbour(cell, side));
            if let Some(piece) = partner.and_then(|partner| half_piece(self.after, partner)) {
                self.tell(Change::Changed { id: piece.id.clone(), piece }, Vec::new(), None, None);
            }
        }
        self.step += u16::from(self.events.len() > count);
    }

    /// The seat's lines one by one, and what they bring.
    fn score(&mut self) {
        let seat = self.before.seat;
        let board = &self.after.board;
        for (from, run) in lines::joining(board, self.after.markers[seat as usize]) {
            let drawn: Line = line(self.after, seat, from, run);
            let (start, end) = (ring::name(from), ring::name(run.end));
            let text = line_text("event.line", seat, &start, &end, run.passes);
            self.events.push(Event {
                step: self.step,
                change: Change::Told,
                cells: vec![start, end],
                line: Some(drawn),
                text: Some(text),
                sound: Some(Sound::Step),
            });
            self.step += 1;
        }
        self.say(score_text("event", self.after, seat));
    }
}
