//! The events of an action, for log, animation and sound.

use tavola_core::view::{Change, Sound};
use tavola_core::{Draw, Event, Game, Text, ToSmolStr, format_smolstr};

use super::labels::seat_name;
use super::pieces::{chip, pawn};
use crate::actions::{Action, ActionKind};
use crate::hex::Hex;
use crate::rules::Potlatch;
use crate::stacks::{BLANK, NEUTRAL_THREE, TileSet};
use crate::state::State;

/// Return the events of a legal action.
pub(crate) fn events_of(game: &Potlatch, state: &State, action: Action) -> Vec<Event> {
    let mut recorder = Recorder { before: state.clone(), events: Vec::new(), step: 0 };
    match action.kind() {
        ActionKind::PawnMove => recorder.walk(action.direction()),
        ActionKind::ChipMove => {
            recorder.increase();
            recorder.move_chip(action.direction());
        }
    }
    let mut after = state.clone();
    game.play_unchecked(&mut after, action);
    if after.turns > state.turns {
        recorder.increase();
    }
    if let Some(outcome) = game.outcome_view(&after) {
        recorder.record(Change::Announced, &[], Some(outcome.text), Some(Sound::End));
    }
    recorder.events
}

/// Records the events of an action while it plays it on a copy of the state.
struct Recorder {
    before: State,
    events: Vec<Event>,
    step: u16,
}

impl Recorder {
    fn record(&mut self, change: Change, cells: &[Hex], text: Option<Text>, sound: Option<Sound>) {
        let cells = cells.iter().map(Hex::to_smolstr).collect();
        self.events.push(Event { step: self.step, change, cells, line: None, text, sound });
        self.step += 1;
    }

    fn seat_name(&self) -> Text {
        seat_name(self.before.seat())
    }

    /// The tile in a direction from the pawn. Places one if there is none.
    fn reach(&mut self, direction: usize) -> u8 {
        let from = self.before.pawn();
        let tile = self.before.beside(from, direction);
        if tile != BLANK {
            return tile;
        }
        let place = self.before.places[from as usize].step(direction);
        let tile = self.before.place_tile(place);
        let text = Text::new("event.place-tile").with("cell", place.to_smolstr());
        self.record(Change::Laid { cell: place.to_smolstr() }, &[place], Some(text), Some(Sound::Lay));
        tile
    }

    fn walk(&mut self, direction: usize) {
        let from = self.before.places[self.before.pawn() as usize];
        let tile = self.reach(direction);
        let (seat, to) = (self.before.seat(), self.before.places[tile as usize]);
        let piece = pawn(seat, to, self.before.stacks.height(tile));
        let text = Text::new("event.move-pawn").with("seat", self.seat_name()).with("cell", to.to_smolstr());
        self.record(
            Change::Moved { id: format_smolstr!("pawn-{seat}"), piece },
            &[from, to],
            Some(text),
            Some(Sound::Step),
        );
        self.before.enter(tile);
    }

    /// Record the increase (rules 9): all chips at once, and the pawns on them rise.
    fn increase(&mut self) {
        let stacks = self.before.increased();
        let grown: Vec<u8> = self
            .before
            .open_run()
            .iter()
            .copied()
            .filter(|&tile| stacks.code(tile) != self.before.stacks.code(tile))
            .collect();
        self.before.run = TileSet::EMPTY;
        if grown.is_empty() {
            return;
        }
        let text = Text::new("event.increase").with("seat", self.seat_name()).with("n", grown.len() as i64);
        let mut text = Some(text);
        let step = self.step;
        for tile in grown {
            let place = self.before.places[tile as usize];
            self.before.stacks.set(tile, stacks.code(tile));
            let height = stacks.height(tile);
            self.step = step;
            let piece = chip(place, height - 1, stacks.code(tile));
            self.record(Change::Placed { piece }, &[place], text.take(), Some(Sound::Place));
            self.lift_pawns(tile, step);
        }
        self.step = step + 1;
    }

    /// Move the pawn on a tile to the new top of its stack.
    fn lift_pawns(&mut self, tile: u8, step: u16) {
        for seat in 0..2u8 {
            if self.before.pawns[seat as usize] == tile {
                self.step = step;
                let place = self.before.places[tile as usize];
                let piece = pawn(seat, place, self.before.stacks.height(tile));
                self.record(Change::Moved { id: piece.id.clone(), piece }, &[], None, None);
            }
        }
    }

    fn move_chip(&mut self, direction: usize) {
        let from = self.before.pawn();
        let tile = self.reach(direction);
        let [source, target] = [from, tile].map(|tile| self.before.places[tile as usize]);
        let height = self.before.stacks.height(from);
        if self.before.stacks.code(from) > NEUTRAL_THREE {
            // rules 8: a coloured third chip is swapped for a neutral one first
            let piece = chip(source, 2, NEUTRAL_THREE);
            let text = Text::new("event.swap").with("cell", source.to_smolstr());
            let change = Change::Changed { id: piece.id.clone(), piece };
            self.record(change, &[source], Some(text), Some(Sound::Flip));
        }
        let step = self.step;
        self.before.stacks.set(from, height - 1);
        let code = self.before.stacks.code(tile) + 1;
        self.before.stacks.set(tile, code);
        let text = Text::new("event.move-chip")
            .with("seat", self.seat_name())
            .with("from", source.to_smolstr())
            .with("cell", target.to_smolstr());
        let change =
            Change::Moved { id: format_smolstr!("{source}/{}", height - 1), piece: chip(target, code - 1, code) };
        self.record(change, &[source, target], Some(text), Some(Sound::Place));
        self.lift_pawns(from, step);
        self.lift_pawns(tile, step);
        self.step = step + 1;
    }
}
