//! Matches on a device: one request performs a command and describes the match after it.

use serde_json::{Value, json};
use tavola_core::matches::{Match, Status, Termination};
use tavola_core::{Random, Seat, SeatSet, SmolStr};
use tavola_registry::{AnyGame, AnyState};

use crate::record;
use crate::request::{Command, Fault, Stored, fault, illegal};

/// A match on this device.
pub(crate) struct DeviceMatch {
    played: Match<AnyState>,
    persons: SeatSet,
}

impl DeviceMatch {
    /// Replays a stored match from a state.
    pub fn replay(game: &AnyGame, start: AnyState, line: &[String], stored: &Stored) -> Result<Self, Fault> {
        let seats = game.seats();
        let known = |&seat: &Seat| if usize::from(seat) < seats { Ok(seat) } else { Err(no_seat(seat)) };
        let persons =
            stored.persons.iter().map(known).try_fold(SeatSet::EMPTY, |all, seat| seat.map(|seat| all.with(seat)))?;
        let mut device = Self { played: Match::new(start, seats, stored.confirm.then_some(persons)), persons };
        for (place, token) in line.iter().enumerate() {
            device.append(token)?;
            if place + 1 == stored.confirmed {
                device.played.confirm();
            }
        }
        if let Some(loser) = stored.resigned {
            device.played.end(Termination { reason: "resigned", loser: Some(known(&loser)?) });
        }
        Ok(device)
    }

    /// Performs a command.
    pub fn perform(&mut self, command: &Command) -> Result<(), Fault> {
        let played = &mut self.played;
        let status = played.status();
        let rejected = |code: &'static str| Err(fault(code, "the match does not allow this command now"));
        if status == Status::Over {
            return rejected("over");
        }
        match command {
            Command::Play { .. } if status == Status::Confirming => return rejected("confirm-first"),
            Command::Play { token } => self.append(token)?,
            Command::Undo { whole_turn } => match played.length_after_undo(self.persons, *whole_turn) {
                Some(keep) => played.undo(keep),
                None => return rejected("nothing-to-undo"),
            },
            Command::Confirm if status != Status::Confirming => return rejected("nothing-to-confirm"),
            Command::Confirm => played.confirm(),
            Command::Resign { seat } if usize::from(*seat) >= played.seats() => return Err(no_seat(*seat)),
            Command::Resign { seat } => played.end(Termination { reason: "resigned", loser: Some(*seat) }),
        }
        Ok(())
    }

    /// Draws random events until a seat must act.
    pub fn draw(&mut self, random: &mut Random) -> Result<(), Fault> {
        loop {
            let outcomes = self.played.position().chance_outcomes();
            if outcomes.is_empty() {
                return Ok(());
            }
            let drawn = random.weighted(outcomes.iter().map(|(_, weight)| *weight));
            self.append(&outcomes[drawn].0)?;
        }
    }

    fn append(&mut self, token: &str) -> Result<(), Fault> {
        let after = self.played.position().play(token).map_err(|error| illegal(&error.token))?;
        self.played.append(SmolStr::new(token), after);
        Ok(())
    }

    /// The match as its persons see it, with the entries of the list of actions from an index on.
    pub fn describe(&self, from: usize) -> Result<Value, Fault> {
        let played = &self.played;
        let actions = played.played();
        let (status, acting) = (played.status(), played.acting());
        let is_person = |seat: &Seat| self.persons.contains(*seat);
        // The person to act or to confirm looks on, otherwise the first person.
        let viewer = acting.filter(is_person).or_else(|| self.persons.iter().next());
        let mut view = played.position().view(viewer);
        if status != Status::Playing || !acting.as_ref().is_some_and(is_person) {
            view.actions.clear();
        }
        let entries = actions.iter().enumerate().skip(from);
        let entries = entries.map(|(place, action)| record::entry(played.position_after(place), &action.token));
        let over = status == Status::Over;
        let undo = !over && played.undoable(self.persons).is_some();
        Ok(json!({
            "line": actions.iter().map(|action| action.token.as_str()).collect::<Vec<_>>(),
            "confirmed": played.confirmed(),
            "resigned": played.termination().and_then(|end| end.loser),
            "entries": entries.collect::<Result<Vec<Value>, Fault>>()?,
            "status": status.code(),
            "acting": acting,
            "turn": played.turn(),
            "result": self.result(),
            "view": view,
            "can": {
                "undo": undo,
                "drawn": !over && !undo && played.has_acted(self.persons),
                "confirm": status == Status::Confirming,
                "resign": !over && !self.persons.is_empty(),
            },
        }))
    }

    fn result(&self) -> Value {
        let Some(outcome) = self.played.outcome() else { return Value::Null };
        let ending = self.played.termination();
        let text =
            if ending.is_none() { self.played.position().view(None).outcome.map(|shown| shown.text) } else { None };
        json!({
            "winners": outcome.winners.iter().collect::<Vec<_>>(),
            "returns": outcome.returns(self.played.seats()),
            "reason": outcome.reason,
            "text": text,
            "loser": ending.and_then(|end| end.loser),
        })
    }
}

fn no_seat(seat: Seat) -> Fault {
    fault("bad-request", &format!("no seat {seat}"))
}
