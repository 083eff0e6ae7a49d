//! Events of an action: each one with its text and the changed pieces.

use tavola_core::view::{Change, Event, Piece, Sound};
use tavola_core::{Draw, Seat, Shared, SmolStr, Text};

use crate::actions::Action;
use crate::crews::Crew;
use crate::game::Montana;
use crate::multiset::{Goods, Workers};
use crate::observer::{GameEvent, Observer};
use crate::state::State;
use crate::view::labels::{self, of_seat};
use crate::view::layout;
use crate::view::pieces::GROUPS;

/// Returns the events of a legal action and of all forced steps after it.
pub(crate) fn record(game: &Montana, state: &State, action: Action) -> Vec<Event> {
    let mut after = *state;
    let mut recorder = EventRecorder { game, at: *state, events: Vec::new(), step: 0 };
    game.play_with_forced(&mut after, game.tables.kind(action), &mut recorder);
    recorder.record_changes(&after, None, &[], None);
    recorder.events
}

struct EventRecorder<'a> {
    game: &'a Montana,
    /// The position after the events recorded so far.
    at: State,
    events: Vec<Event>,
    step: u16,
}

impl Observer for EventRecorder<'_> {
    fn on_event(&mut self, state: &State, note: GameEvent) {
        let cells = self.cells(note);
        if let GameEvent::Turned(slot) = note {
            self.record_slot(slot);
        }
        if let GameEvent::Spun(_) = note {
            // The text follows when the arrow has stopped.
            self.record_changes(state, None, &cells, sound(note));
            self.record_changes(state, self.text(state, note), &cells, None);
            return;
        }
        self.record_changes(state, self.text(state, note), &cells, sound(note));
    }
}

fn sound(note: GameEvent) -> Option<Sound> {
    match note {
        GameEvent::Turned(_) => Some(Sound::Lay),
        GameEvent::Spun(_) => Some(Sound::Spin),
        GameEvent::Start(_) | GameEvent::Built(_) | GameEvent::Double(_) | GameEvent::Line(_) | GameEvent::Bid(..) => {
            Some(Sound::Place)
        }
        GameEvent::Banked(..) | GameEvent::Worked(..) | GameEvent::Extra(..) | GameEvent::Shifted(..) => {
            Some(Sound::Step)
        }
        GameEvent::Over => Some(Sound::End),
        _ => None,
    }
}

impl EventRecorder<'_> {
    /// Records the changed pieces and the text.
    fn record_changes(&mut self, state: &State, text: Option<Text>, cells: &[SmolStr], sound: Option<Sound>) {
        let mut changes = self.piece_changes(state);
        if changes.is_empty() && text.is_some() {
            changes.push((Change::Announced, Vec::new()));
        }
        if changes.is_empty() {
            return;
        }
        let (mut text, mut sound) = (text, sound);
        for (change, own) in changes {
            let cells = if own.is_empty() { cells.to_vec() } else { own };
            self.events.push(Event {
                step: self.step,
                change,
                cells,
                line: None,
                text: text.take(),
                sound: sound.take(),
            });
        }
        self.step += 1;
    }

    /// Returns the changes of the pieces, each with its cells.
    fn piece_changes(&mut self, state: &State) -> Vec<(Change, Vec<SmolStr>)> {
        let before = std::mem::replace(&mut self.at, *state);
        let groups = GROUPS.into_iter().filter(|group| !group.is_unchanged(&before, state));
        let pieces =
            |state: &State| -> Vec<_> { groups.clone().flat_map(|group| group.pieces(self.game, state)).collect() };
        let (before, after) = (pieces(&before), pieces(state));
        let (gone, new) = changed_range(&before, &after);
        let mut changes = removals(gone, new);
        changes.extend(new.iter().filter_map(|piece| arrival(gone, piece)));
        changes
    }

    /// Records the hexes of a slot, in the same step as the pieces on them.
    fn record_slot(&mut self, slot: u8) {
        for &hex in &self.game.map.slot_hexes[usize::from(slot)] {
            let cell = self.game.map.name(hex);
            let change = Change::Laid { cell: cell.clone() };
            self.events.push(Event { step: self.step, change, cells: vec![cell], line: None, text: None, sound: None });
        }
    }

    /// Returns the cells of an event without moved pieces.
    fn cells(&self, note: GameEvent) -> Vec<SmolStr> {
        match note {
            GameEvent::Start(hex) | GameEvent::Built(hex) | GameEvent::Double(hex) | GameEvent::Line(hex) => {
                vec![self.game.map.name(hex)]
            }
            GameEvent::Spun(segment) | GameEvent::Shifted(_, segment) => vec![layout::segment_cell(segment)],
            GameEvent::Passed(seat) => vec![layout::store_cell(seat)],
            _ => Vec::new(),
        }
    }

    fn crew(&self, crew: Crew) -> Text {
        labels::workers(self.game.tables.crews[usize::from(crew)])
    }

    /// Returns the text of an event. Obvious events have none.
    fn text(&self, state: &State, note: GameEvent) -> Option<Text> {
        let turn: Seat = state.turn;
        let of_turn = |key: &'static str| of_seat(key, turn);
        let gain = |seat: Seat, things: Text| of_seat("event.gain", seat).with("things", things);
        let pair = |segment: u8| labels::segment(&self.game.components.wheel[usize::from(segment)]);
        let short = |thing: Text| Text::new("event.short").with("thing", thing);
        Some(match note {
            GameEvent::Drawn(tile) => {
                Text::new("event.tile").with("tile", self.game.components.tiles[usize::from(tile)].name.as_str())
            }
            GameEvent::Turned(_) => Text::new("event.rot"),
            GameEvent::Start(hex) => Text::new("event.start").with("cell", self.game.map.name(hex)),
            GameEvent::Spun(segment) => of_turn("event.spin").with("pair", pair(segment)),
            GameEvent::Shifted(moved, segment) => {
                of_turn("event.shift").with("n", i64::from(moved)).with("pair", pair(segment))
            }
            GameEvent::Hired(Workers::NONE)
            | GameEvent::PaidSilver(0)
            | GameEvent::GainedGoods(_, Goods::NONE)
            | GameEvent::Swapped(_, Goods::NONE)
            | GameEvent::Spare(0) => return None,
            GameEvent::Hired(workers) => of_turn("event.hire").with("crew", labels::workers(workers)),
            GameEvent::ShortGood(lane) => short(labels::good(lane)),
            GameEvent::ShortWorker(lane) => short(labels::worker(lane)),
            GameEvent::Returned(workers) => of_turn("event.return").with("crew", labels::workers(workers)),
            GameEvent::Banked(space, crew) => {
                let (_, silver) = self.game.components.prices.bank[usize::from(space)];
                of_turn("event.bank").with("crew", self.crew(crew)).with("silver", labels::silver(silver))
            }
            GameEvent::Worked(space, crew) => of_turn("event.work")
                .with("crew", self.crew(crew))
                .with("place", labels::place(space / 3))
                .with("number", i64::from(space % 3) + 1),
            GameEvent::Extra(space, crew) => {
                of_turn("event.extra").with("crew", self.crew(crew)).with("place", labels::place(space / 3))
            }
            GameEvent::PaidSilver(silver) => of_turn("event.pay").with("things", labels::silver(silver)),
            GameEvent::GainedSilver(seat, silver) => gain(seat, labels::silver(silver)),
            GameEvent::GainedGoods(seat, goods) => gain(seat, labels::goods(goods)),
            GameEvent::GainedCow(seat) => of_seat("event.cow", seat),
            GameEvent::Cleared(place) => Text::new("event.clear").with("place", labels::place(place)),
            GameEvent::City => of_turn("event.city"),
            GameEvent::Bid(seat, city_space) => {
                let (row, price) = self.game.city_space(city_space);
                of_seat("event.bid", seat).with("row", row as i64 + 1).with("price", i64::from(price))
            }
            GameEvent::Outbid(seat) => of_seat("event.outbid", seat),
            GameEvent::Passed(seat) => of_seat("event.pass", seat),
            GameEvent::Reward(seat, city_space) => {
                let (row, price) = self.game.city_space(city_space);
                of_seat("event.reward", seat).with("row", row as i64 + 1).with("price", i64::from(price))
            }
            GameEvent::NoReward(seat) => of_seat("event.reward.short", seat),
            GameEvent::Swapped(seat, goods) => of_seat("event.swap", seat).with("goods", labels::goods(goods)),
            GameEvent::Home => Text::new("event.home"),
            GameEvent::Built(hex) => of_turn("event.build")
                .with("cell", self.game.map.name(hex))
                .with("goods", labels::goods(self.game.cost(&state.land, hex))),
            GameEvent::Double(_) => of_turn("event.double"),
            GameEvent::Line(_) => of_turn("event.line"),
            GameEvent::LastTile => of_turn("event.last"),
            GameEvent::FoundCow(_) => of_turn("event.cow"),
            GameEvent::FoundCanteen(_) => of_turn("event.canteen"),
            GameEvent::Spare(silver) => of_turn("event.spare").with("n", i64::from(silver)),
            GameEvent::Traded(trade) => {
                of_turn("event.trade").with("thing", labels::trade(trade, self.game.components.cow_silver))
            }
            GameEvent::ExtraTurn => of_turn("event.extra-turn"),
            GameEvent::Over => self.game.outcome_view(state)?.text,
        })
    }
}

/// Strips the common start and end of two lists of pieces.
fn changed_range<'a>(
    before: &'a [Shared<Piece>],
    after: &'a [Shared<Piece>],
) -> (&'a [Shared<Piece>], &'a [Shared<Piece>]) {
    // Pieces are interned, so equal pieces share a pointer.
    let same = |(one, other): &(&Shared<Piece>, &Shared<Piece>)| one.ptr_eq(other);
    let first = before.iter().zip(after).take_while(same).count();
    let (before, after) = (&before[first..], &after[first..]);
    let last = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    (&before[..before.len() - last], &after[..after.len() - last])
}

/// Returns the removed pieces.
fn removals(before: &[Shared<Piece>], after: &[Shared<Piece>]) -> Vec<(Change, Vec<SmolStr>)> {
    let gone = before.iter().filter(|piece| after.iter().all(|other| other.id != piece.id));
    gone.map(|piece| (Change::Removed { id: piece.id.clone() }, vec![piece.cell.clone()])).collect()
}

/// Returns how a piece arrived or changed.
fn arrival(before: &[Shared<Piece>], piece: &Shared<Piece>) -> Option<(Change, Vec<SmolStr>)> {
    let (id, now) = (piece.id.clone(), piece.clone());
    match before.iter().find(|known| known.id == id) {
        Some(before) if before.ptr_eq(piece) => None,
        // The event itself names the segments of the arrow.
        Some(_) if piece.cell == layout::HUB => Some((Change::Changed { id, piece: now }, Vec::new())),
        Some(before) if before.cell == piece.cell => {
            Some((Change::Changed { id, piece: now }, vec![piece.cell.clone()]))
        }
        Some(before) => Some((Change::Moved { id, piece: now }, vec![before.cell.clone(), piece.cell.clone()])),
        None => Some((Change::Placed { piece: now }, vec![piece.cell.clone()])),
    }
}
