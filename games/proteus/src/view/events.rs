//! The events of an action, in the order in which a client shows them.

use tavola_core::view::{Change, Sound};
use tavola_core::{Draw, Event, Game, Seat, Text, format_smolstr};

use crate::actions::{Action, ActionKind};
use crate::board::{self, Cell};
use crate::pieces::{COLOURS, Tile, colour_of, tile, tile_name};
use crate::rules::Proteus;
use crate::state::State;
use crate::view::labels::{counter_label, pool_cell, rule_name, seat_name, tile_label};
use crate::view::pieces::{counter_piece, tile_piece};

/// The events of a legal action.
pub(crate) fn events_of(game: &Proteus, state: &State, action: Action) -> Vec<Event> {
    let mut after = state.clone();
    let new = Proteus::perform(&mut after, action.kind());
    let mut recorder = Recorder { game, before: state, after: &after, events: Vec::new(), step: 0 };
    recorder.kind(action.kind());
    recorder.flips(action.kind(), new);
    let mut last = state.clone();
    game.play_unchecked(&mut last, action);
    if state.count.is_some() && last.end.is_none() && game.goals.both(&last.board) {
        recorder.add(Change::Announced, &[], Some(Text::new("event.both")), None);
    }
    let announced = if last.end.is_some() {
        None
    } else if let Some(seat) = game.winner_if_possible(&last) {
        Some(("event.balance", seat))
    } else if state.count.is_some() && game.goals.winner(&last.board) == Some(last.seat) {
        Some(("event.other", last.seat))
    } else {
        None
    };
    if let Some((key, seat)) = announced {
        recorder.add(Change::Announced, &[], Some(Text::new(key).with("seat", seat_name(seat))), None);
    }
    if let Some(outcome) = game.outcome_view(&last) {
        recorder.add(Change::Announced, &[], Some(outcome.text), Some(Sound::End));
    }
    recorder.events
}

struct Recorder<'a> {
    game: &'a Proteus,
    before: &'a State,
    after: &'a State,
    events: Vec<Event>,
    step: u16,
}

impl Recorder<'_> {
    /// Adds an event at the present step.
    fn at_once(&mut self, change: Change, cells: &[Cell], text: Option<Text>, sound: Option<Sound>) {
        let cells = cells.iter().map(|&cell| board::name(cell)).collect();
        self.events.push(Event { step: self.step, change, cells, line: None, text, sound });
    }

    /// Adds an event, and continues with the next step.
    fn add(&mut self, change: Change, cells: &[Cell], text: Option<Text>, sound: Option<Sound>) {
        self.at_once(change, cells, text, sound);
        self.step += 1;
    }

    fn seat(&self) -> Seat {
        self.before.seat
    }

    fn kind(&mut self, kind: ActionKind) {
        let seat = seat_name(self.seat());
        match kind {
            ActionKind::Tile(tile, cell) => {
                let text = Text::new("event.tile")
                    .with("seat", seat)
                    .with("piece", tile_label(tile))
                    .with("cell", board::name(cell));
                let piece = tile_piece(self.game, self.before, tile, board::name(cell));
                self.add(Change::Moved { id: piece.id.clone(), piece }, &[cell], Some(text), Some(Sound::Lay));
            }
            ActionKind::Counter(shape, cell) => {
                let text = Text::new("event.counter")
                    .with("seat", seat)
                    .with("piece", counter_label(self.seat(), shape))
                    .with("cell", board::name(cell));
                let piece = counter_piece(self.seat(), shape, board::name(cell), 1);
                self.add(Change::Moved { id: piece.id.clone(), piece }, &[cell], Some(text), Some(Sound::Place));
            }
            ActionKind::Move(from, to) => {
                let text = Text::new("event.move")
                    .with("seat", seat)
                    .with("from", board::name(from))
                    .with("cell", board::name(to));
                let shape = self.before.board.counter(from).expect("a counter moves") % 3;
                let piece = counter_piece(self.seat(), shape, board::name(to), 1);
                self.add(Change::Moved { id: piece.id.clone(), piece }, &[from, to], Some(text), Some(Sound::Step));
            }
            ActionKind::Trade(one, other) => {
                let text = Text::new("event.trade")
                    .with("seat", seat)
                    .with("from", board::name(one))
                    .with("cell", board::name(other));
                let mut label = Some(text);
                for (from, to) in [(one, other), (other, one)] {
                    let tile = self.before.board.tile(from).expect("tiles are traded");
                    let piece = tile_piece(self.game, self.before, tile, board::name(to));
                    self.at_once(
                        Change::Moved { id: piece.id.clone(), piece },
                        &[from, to],
                        label.take(),
                        Some(Sound::Lay),
                    );
                }
                self.step += 1;
            }
            ActionKind::Pass => {
                let key = if self.before.count.is_some() { "event.missing.pass" } else { "event.pass" };
                self.add(Change::Announced, &[], Some(Text::new(key).with("seat", seat)), None);
            }
        }
    }

    /// The flips of the face-down tiles in new pairs, one colour after the other, with what changes by them.
    fn flips(&mut self, kind: ActionKind, new: u16) {
        let (ActionKind::Counter(_, cell) | ActionKind::Move(_, cell) | ActionKind::Trade(cell, _)) = kind else {
            return;
        };
        let last = if let ActionKind::Trade(_, other) = kind { other } else { cell };
        let mut tiles: Vec<Tile> = [cell, last].into_iter().filter_map(|cell| self.after.board.tile(cell)).collect();
        tiles.dedup();
        tiles.retain(|tile| new >> tile & 1 == 1);
        if let &[one, other] = tiles.as_slice()
            && colour_of(one) == colour_of(other)
        {
            let colour = COLOURS[colour_of(one) as usize];
            let text = Text::new("event.cancel").with("colour", Text::new(format_smolstr!("colour.{colour}")));
            self.add(Change::Announced, &[], Some(text), None);
            return;
        }
        for up in tiles {
            if let Some(shape) = self.before.board.up(colour_of(up)) {
                let down = tile(colour_of(up), shape);
                let text = Text::new("event.down").with("rule", rule_name(self.game.faces.rule(down)));
                self.turn(down, text);
            }
            self.turn(up, Text::new(format_smolstr!("event.up.{}", self.game.faces.rule(up))));
        }
    }

    fn turn(&mut self, tile: Tile, text: Text) {
        let cell = self.after.board.cell_of(tile);
        let at = cell.map_or_else(|| pool_cell(tile), board::name);
        let piece = tile_piece(self.game, self.after, tile, at);
        let cells: Vec<Cell> = cell.into_iter().collect();
        self.add(Change::Changed { id: tile_name(tile), piece }, &cells, Some(text), Some(Sound::Flip));
    }
}
