//! What an action did, event by event: each thing that happened, with what it changed among the pieces.

use tavola_core::view::{Change, Event, Piece, Sound};
use tavola_core::{Seat, Shared, SmolStr, Text};

use crate::actions::{Action, Crew};
use crate::bag::{Goods, Workers};
use crate::pieces::GROUPS;
use crate::places;
use crate::rules::Montana;
use crate::said::{self, of_seat};
use crate::state::State;
use crate::watch::{Note, Watch};

/// The events of a legal action, and of everything that followed from it.
pub(crate) fn tell(game: &Montana, state: &State, action: Action) -> Vec<Event> {
    let mut after = *state;
    let mut story = Story { game, at: *state, events: Vec::new(), step: 0 };
    game.act(&mut after, game.tables.deed(action), &mut story);
    story.show(&after, None, &[], None);
    story.events
}

struct Story<'a> {
    game: &'a Montana,
    /// The position as told so far.
    at: State,
    events: Vec<Event>,
    step: u16,
}

impl Watch for Story<'_> {
    fn note(&mut self, state: &State, note: Note) {
        let cells = self.cells(note);
        if let Note::Turned(slot) = note {
            self.lay(slot);
        }
        if let Note::Spun(_) = note {
            // What comes of it is told when the arrow has stopped.
            self.show(state, None, &cells, sound(note));
            self.show(state, self.text(state, note), &cells, None);
            return;
        }
        self.show(state, self.text(state, note), &cells, sound(note));
    }
}

fn sound(note: Note) -> Option<Sound> {
    match note {
        Note::Turned(_) => Some(Sound::Lay),
        Note::Spun(_) => Some(Sound::Spin),
        Note::Start(_) | Note::Built(_) | Note::Double(_) | Note::Line(_) | Note::Bid(..) => Some(Sound::Place),
        Note::Banked(..) | Note::Worked(..) | Note::Extra(..) | Note::Shifted(..) => Some(Sound::Step),
        Note::Over => Some(Sound::End),
        _ => None,
    }
}

impl Story<'_> {
    /// Tells what has changed among the pieces, and what is said of it.
    fn show(&mut self, state: &State, text: Option<Text>, cells: &[SmolStr], sound: Option<Sound>) {
        let mut changes = self.moved(state);
        if changes.is_empty() && text.is_some() {
            changes.push((Change::Told, Vec::new()));
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

    /// What has become of the pieces, each with its cells.
    fn moved(&mut self, state: &State) -> Vec<(Change, Vec<SmolStr>)> {
        let before = std::mem::replace(&mut self.at, *state);
        let groups = GROUPS.into_iter().filter(|group| !group.stays(&before, state));
        let pieces =
            |state: &State| -> Vec<_> { groups.clone().flat_map(|group| group.pieces(self.game, state)).collect() };
        let (before, after) = (pieces(&before), pieces(state));
        let (gone, new) = others(&before, &after);
        let mut changes = removals(gone, new);
        changes.extend(new.iter().filter_map(|piece| arrival(gone, piece)));
        changes
    }

    /// The hexes of a slot appear, at the same step as what stands on them.
    fn lay(&mut self, slot: u8) {
        for &hex in &self.game.map.slot_hexes[usize::from(slot)] {
            let cell = self.game.map.name(hex);
            let change = Change::Laid { cell: cell.clone() };
            self.events.push(Event { step: self.step, change, cells: vec![cell], line: None, text: None, sound: None });
        }
    }

    /// The cells that a note is about, if no piece tells it.
    fn cells(&self, note: Note) -> Vec<SmolStr> {
        match note {
            Note::Start(hex) | Note::Built(hex) | Note::Double(hex) | Note::Line(hex) => vec![self.game.map.name(hex)],
            Note::Spun(segment) | Note::Shifted(_, segment) => vec![places::segment_cell(segment)],
            Note::Passed(seat) => vec![places::store_cell(seat)],
            _ => Vec::new(),
        }
    }

    fn crew(&self, crew: Crew) -> Text {
        said::workers(self.game.tables.crews[usize::from(crew)])
    }

    /// What is said of a note; nothing of what goes without saying.
    fn text(&self, state: &State, note: Note) -> Option<Text> {
        let turn: Seat = state.turn;
        let of_turn = |key: &'static str| of_seat(key, turn);
        let gain = |seat: Seat, things: Text| of_seat("event.gain", seat).with("things", things);
        let pair = |segment: u8| said::segment(&self.game.data.wheel[usize::from(segment)]);
        let short = |thing: Text| Text::new("event.short").with("thing", thing);
        Some(match note {
            Note::Drawn(tile) => {
                Text::new("event.tile").with("tile", self.game.data.tiles[usize::from(tile)].name.as_str())
            }
            Note::Turned(_) => Text::new("event.rot"),
            Note::Start(hex) => Text::new("event.start").with("cell", self.game.map.name(hex)),
            Note::Spun(segment) => of_turn("event.spin").with("pair", pair(segment)),
            Note::Shifted(moved, segment) => {
                of_turn("event.shift").with("n", i64::from(moved)).with("pair", pair(segment))
            }
            Note::Hired(Workers::NONE)
            | Note::PaidSilver(0)
            | Note::GainedGoods(_, Goods::NONE)
            | Note::Swapped(_, Goods::NONE)
            | Note::Spare(0) => return None,
            Note::Hired(workers) => of_turn("event.hire").with("crew", said::workers(workers)),
            Note::ShortGood(lane) => short(said::good(lane)),
            Note::ShortWorker(lane) => short(said::worker(lane)),
            Note::Returned(workers) => of_turn("event.return").with("crew", said::workers(workers)),
            Note::Banked(space, crew) => {
                let (_, silver) = self.game.data.bank[usize::from(space)];
                of_turn("event.bank").with("crew", self.crew(crew)).with("silver", said::silver(silver))
            }
            Note::Worked(space, crew) => of_turn("event.work")
                .with("crew", self.crew(crew))
                .with("place", said::place(space / 3))
                .with("number", i64::from(space % 3) + 1),
            Note::Extra(space, crew) => {
                of_turn("event.extra").with("crew", self.crew(crew)).with("place", said::place(space / 3))
            }
            Note::PaidSilver(silver) => of_turn("event.pay").with("things", said::silver(silver)),
            Note::GainedSilver(seat, silver) => gain(seat, said::silver(silver)),
            Note::GainedGoods(seat, goods) => gain(seat, said::goods(goods)),
            Note::GainedCow(seat) => of_seat("event.cow", seat),
            Note::Cleared(place) => Text::new("event.clear").with("place", said::place(place)),
            Note::City => of_turn("event.city"),
            Note::Bid(seat, stall) => {
                let (row, price) = self.game.stall(stall);
                of_seat("event.bid", seat).with("row", row as i64 + 1).with("price", i64::from(price))
            }
            Note::Outbid(seat) => of_seat("event.outbid", seat),
            Note::Passed(seat) => of_seat("event.pass", seat),
            Note::Reward(seat, stall) => {
                let (row, price) = self.game.stall(stall);
                of_seat("event.reward", seat).with("row", row as i64 + 1).with("price", i64::from(price))
            }
            Note::NoReward(seat) => of_seat("event.reward.short", seat),
            Note::Swapped(seat, goods) => of_seat("event.swap", seat).with("goods", said::goods(goods)),
            Note::Home => Text::new("event.home"),
            Note::Built(hex) => of_turn("event.build")
                .with("cell", self.game.map.name(hex))
                .with("goods", said::goods(self.game.cost(&state.land, hex))),
            Note::Double(_) => of_turn("event.double"),
            Note::Line(_) => of_turn("event.line"),
            Note::LastTile => of_turn("event.last"),
            Note::FoundCow(_) => of_turn("event.cow"),
            Note::FoundCanteen(_) => of_turn("event.canteen"),
            Note::Spare(silver) => of_turn("event.spare").with("n", i64::from(silver)),
            Note::Traded(barter) => {
                of_turn("event.trade").with("thing", said::barter(barter, self.game.data.cow_silver))
            }
            Note::ExtraTurn => of_turn("event.extra-turn"),
            Note::Over => self.game.outcome_view(state)?.text,
        })
    }
}

/// What lies between the pieces that two lists begin with alike and those that they end with alike.
fn others<'a>(before: &'a [Shared<Piece>], after: &'a [Shared<Piece>]) -> (&'a [Shared<Piece>], &'a [Shared<Piece>]) {
    // Each piece is made once.
    let same = |(one, other): &(&Shared<Piece>, &Shared<Piece>)| one.ptr_eq(other);
    let first = before.iter().zip(after).take_while(same).count();
    let (before, after) = (&before[first..], &after[first..]);
    let last = before.iter().rev().zip(after.iter().rev()).take_while(same).count();
    (&before[..before.len() - last], &after[..after.len() - last])
}

/// The pieces that are not there any more.
fn removals(before: &[Shared<Piece>], after: &[Shared<Piece>]) -> Vec<(Change, Vec<SmolStr>)> {
    let gone = before.iter().filter(|piece| after.iter().all(|other| other.id != piece.id));
    gone.map(|piece| (Change::Removed { id: piece.id.clone() }, vec![piece.cell.clone()])).collect()
}

/// How a piece comes to be as it is.
fn arrival(before: &[Shared<Piece>], piece: &Shared<Piece>) -> Option<(Change, Vec<SmolStr>)> {
    let (id, now) = (piece.id.clone(), piece.clone());
    match before.iter().find(|known| known.id == id) {
        Some(before) if before.ptr_eq(piece) => None,
        // The arrow is about the segments to which it points, which the note knows.
        Some(_) if piece.cell == places::HUB => Some((Change::Changed { id, piece: now }, Vec::new())),
        Some(before) if before.cell == piece.cell => {
            Some((Change::Changed { id, piece: now }, vec![piece.cell.clone()]))
        }
        Some(before) => Some((Change::Moved { id, piece: now }, vec![before.cell.clone(), piece.cell.clone()])),
        None => Some((Change::Placed { piece: now }, vec![piece.cell.clone()])),
    }
}
