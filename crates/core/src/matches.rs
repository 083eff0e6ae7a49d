//! A game being played: its actions, whose turn it is, which actions an undo removes, what waits for confirmation, and how it
//! ended.
//!
//! A match knows no rules, people, time or randomness. Its caller plays the actions and draws the outcomes of chance; every
//! change of the match is a function of its arguments.

use std::sync::Arc;

use crate::{Actor, Outcome, Seat, SeatSet, SmolStr};

/// A position of a match.
pub trait Position {
    /// The actor whose turn it is.
    fn to_act(&self) -> Actor;

    /// The number of the current turn, 1 for the first.
    fn turn(&self) -> u32;

    /// The outcome, or `None` before the end of the game.
    fn outcome(&self) -> Option<Outcome>;
}

/// An action or random event in force.
#[derive(Debug)]
pub struct Played<P> {
    /// The token.
    pub token: SmolStr,
    /// The seat that acted; `None` for chance.
    pub seat: Option<Seat>,
    /// The number of its turn.
    pub turn: u32,
    /// The position after it.
    pub after: P,
    /// The number of actions before its turn.
    pub turn_start: usize,
    /// The number of random events among the actions up to it.
    pub random_events: usize,
    /// The number of these actions that cannot be undone: players cannot forget the outcome of chance.
    pub fixed: usize,
    /// The seats of these actions.
    pub acted: SeatSet,
}

/// The end of a match by another cause than the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Termination {
    /// The cause, as a code such as `resigned`.
    pub reason: &'static str,
    /// The seat that lost; `None` for a draw.
    pub loser: Option<Seat>,
}

/// The state of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// A seat or chance must act.
    Playing,
    /// A seat has completed its turn and must confirm it.
    Confirming,
    /// The match has ended.
    Over,
}

impl Status {
    /// The code on the wire.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Playing => "playing",
            Self::Confirming => "confirming",
            Self::Over => "over",
        }
    }
}

/// A game being played. A clone shares its actions.
#[derive(Debug)]
pub struct Match<P> {
    seats: usize,
    start: Arc<P>,
    played: Vec<Arc<Played<P>>>,
    /// The seats that confirm their turns; `None` if turns need no confirmation.
    confirming: Option<SeatSet>,
    confirmed: usize,
    termination: Option<Termination>,
}

impl<P> Clone for Match<P> {
    fn clone(&self) -> Self {
        Self { start: Arc::clone(&self.start), played: self.played.clone(), ..*self }
    }
}

impl<P: Position> Match<P> {
    /// Starts a match.
    ///
    /// With `confirming`, these seats confirm their turns, and the turns of all others are confirmed at once.
    pub fn new(start: P, seats: usize, confirming: Option<SeatSet>) -> Self {
        Self { seats, start: Arc::new(start), played: Vec::new(), confirming, confirmed: 0, termination: None }
    }

    /// The number of players.
    pub fn seats(&self) -> usize {
        self.seats
    }

    /// The actions and random events in force.
    pub fn played(&self) -> &[Arc<Played<P>>] {
        &self.played
    }

    /// The position after some of the actions, at most all.
    pub fn position_after(&self, count: usize) -> &P {
        count.checked_sub(1).map_or(&*self.start, |last| &self.played[last].after)
    }

    /// The current position.
    pub fn position(&self) -> &P {
        self.position_after(self.played.len())
    }

    // Events

    /// Adds an action or random event, which leads from the current position to `after`.
    pub fn append(&mut self, token: SmolStr, after: P) {
        let (seat, turn) = (self.position().to_act().seat(), self.position().turn());
        let count = self.played.len();
        let last = self.played.last();
        let chance = seat.is_none();
        let acted = last.map_or(SeatSet::EMPTY, |last| last.acted);
        let action = Played {
            token,
            seat,
            turn,
            after,
            turn_start: last.filter(|last| last.turn == turn).map_or(count, |last| last.turn_start),
            random_events: last.map_or(0, |last| last.random_events) + usize::from(chance),
            fixed: if chance { count + 1 } else { self.fixed() },
            acted: seat.map_or(acted, |seat| acted.with(seat)),
        };
        self.played.push(Arc::new(action));
        self.confirm_at_once();
    }

    /// Removes all actions but the first ones.
    pub fn undo(&mut self, keep: usize) {
        self.played.truncate(keep);
        self.confirmed = self.confirmed.min(self.played.len());
        self.confirm_at_once();
    }

    /// Confirms all actions.
    pub fn confirm(&mut self) {
        self.confirmed = self.played.len();
    }

    /// Changes the seats that confirm their turns, if turns need a confirmation.
    pub fn set_confirming(&mut self, seats: SeatSet) {
        self.confirming = self.confirming.map(|_| seats);
        self.confirm_at_once();
    }

    /// Ends the match.
    pub fn end(&mut self, termination: Termination) {
        self.termination = Some(termination);
    }

    /// The match after some of its actions, all confirmed, and without its termination.
    #[must_use]
    pub fn at(&self, count: usize) -> Self {
        let mut past = self.clone();
        past.termination = None;
        past.undo(count);
        past.confirm();
        past
    }

    fn confirm_at_once(&mut self) {
        if let Some((seats, seat)) = self.confirming.zip(self.completed_turn())
            && !seats.contains(seat)
        {
            self.confirm();
        }
    }

    // What follows

    /// The state of the match.
    pub fn status(&self) -> Status {
        if self.termination.is_some() {
            Status::Over
        } else if self.seat_to_confirm().is_some() {
            Status::Confirming
        } else if self.position().to_act() == Actor::Terminal {
            Status::Over
        } else {
            Status::Playing
        }
    }

    /// The seat to act or to confirm; `None` where chance acts, and at the end.
    pub fn acting(&self) -> Option<Seat> {
        if self.termination.is_some() {
            return None;
        }
        self.seat_to_confirm().or_else(|| self.position().to_act().seat())
    }

    /// The number of the turn that is played or waits for its confirmation.
    pub fn turn(&self) -> u32 {
        match self.played.last() {
            Some(last) if self.seat_to_confirm().is_some() => last.turn,
            _ => self.position().turn(),
        }
    }

    /// The number of confirmed actions.
    pub fn confirmed(&self) -> usize {
        self.confirmed
    }

    /// The end by another cause than the rules.
    pub fn termination(&self) -> Option<Termination> {
        self.termination
    }

    /// How the match ended; `None` before its end.
    pub fn outcome(&self) -> Option<Outcome> {
        let Some(Termination { reason, loser }) = self.termination else {
            return self.position().outcome().filter(|_| self.seat_to_confirm().is_none());
        };
        Some(match loser {
            Some(loser) => Outcome::lost_by(loser, self.seats, reason),
            None => Outcome { winners: SeatSet::EMPTY, reason },
        })
    }

    /// Whether a seat has not completed a turn yet.
    pub fn is_opening(&self) -> bool {
        let turn = self.turn();
        let past = match self.played.last() {
            Some(last) if last.turn == turn => last.turn_start,
            _ => self.played.len(),
        };
        let complete = past.checked_sub(1).is_some_and(|last| self.played[last].acted.len() == self.seats);
        !complete && self.status() != Status::Over
    }

    fn seat_to_confirm(&self) -> Option<Seat> {
        self.confirming.and_then(|_| self.completed_turn())
    }

    /// The seat whose turn is complete and not confirmed. A turn that chance ends needs no confirmation.
    fn completed_turn(&self) -> Option<Seat> {
        let last = self.played.last().filter(|_| self.confirmed < self.played.len())?;
        match last.after.to_act() {
            Actor::Chance => None,
            Actor::Seat(seat) if last.seat == Some(seat) && last.after.turn() == last.turn => None,
            _ => last.seat,
        }
    }

    // Undo

    /// The number of actions that cannot be undone.
    fn fixed(&self) -> usize {
        self.played.last().map_or(0, |last| last.fixed)
    }

    /// Whether one of these seats has acted.
    pub fn has_acted(&self, seats: SeatSet) -> bool {
        self.played.last().is_some_and(|last| last.acted.iter().any(|seat| seats.contains(seat)))
    }

    /// The place of the last action of these seats among those in force.
    pub fn last_action_of(&self, seats: SeatSet) -> Option<usize> {
        if !self.has_acted(seats) {
            return None;
        }
        self.played.iter().rposition(|action| action.seat.is_some_and(|seat| seats.contains(seat)))
    }

    /// The place of the last action of these seats, if it can be undone.
    pub fn undoable(&self, seats: SeatSet) -> Option<usize> {
        self.last_action_of(seats).filter(|&last| last >= self.fixed())
    }

    /// Whether it is the place of the last action, and the action is not confirmed.
    pub fn is_unconfirmed(&self, place: usize) -> bool {
        place + 1 == self.played.len() && place >= self.confirmed
    }

    /// The number of actions that stay after an undo of these seats' last action; `None` if none can be undone.
    ///
    /// An undo of the whole turn goes back to its start, to chance, or to the last confirmation.
    pub fn length_after_undo(&self, seats: SeatSet, whole_turn: bool) -> Option<usize> {
        let mut keep = self.undoable(seats)?;
        let latest = &self.played[keep];
        let floor = if self.is_unconfirmed(keep) { self.fixed().max(self.confirmed) } else { self.fixed() };
        while whole_turn && keep > floor {
            let before = &self.played[keep - 1];
            if (before.seat, before.turn) != (latest.seat, latest.turn) {
                break;
            }
            keep -= 1;
        }
        Some(keep)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A position of a toy: the actor and the turn.
    #[derive(Clone, Copy, Debug)]
    struct Toy(Actor, u32);

    impl Position for Toy {
        fn to_act(&self) -> Actor {
            self.0
        }

        fn turn(&self) -> u32 {
            self.1
        }

        fn outcome(&self) -> Option<Outcome> {
            (self.0 == Actor::Terminal).then_some(Outcome { winners: SeatSet::one(1), reason: "goal" })
        }
    }

    const RED: Seat = 0;
    const BLUE: Seat = 1;
    const BOTH: SeatSet = SeatSet::one(RED).with(BLUE);

    /// Red acts twice, Blue acts and chance answers, Blue has another turn, Red acts.
    fn played(confirming: Option<SeatSet>) -> Match<Toy> {
        let mut played = Match::new(Toy(Actor::Seat(RED), 1), 2, confirming);
        let after = [
            Toy(Actor::Seat(RED), 1),
            Toy(Actor::Seat(BLUE), 2),
            Toy(Actor::Chance, 2),
            Toy(Actor::Seat(BLUE), 3),
            Toy(Actor::Seat(RED), 4),
            Toy(Actor::Seat(RED), 4),
        ];
        for (place, after) in after.into_iter().enumerate() {
            played.append(SmolStr::new(format!("{place}")), after);
            if place == 1 || place == 4 {
                played.confirm();
            }
        }
        played
    }

    #[test]
    fn an_undo_goes_back_to_the_start_of_the_turn_or_to_chance() {
        let now = played(None);
        let keeps = |count: usize, seats: SeatSet| {
            let past = now.at(count);
            (past.length_after_undo(seats, false), past.length_after_undo(seats, true))
        };
        assert_eq!(keeps(0, BOTH), (None, None));
        assert_eq!(keeps(2, BOTH), (Some(1), Some(0)));
        assert_eq!(keeps(2, SeatSet::one(BLUE)), (None, None));
        assert_eq!(keeps(3, SeatSet::one(RED)), (Some(1), Some(0)));
        // Chance has answered.
        assert_eq!(keeps(4, BOTH), (None, None));
        assert_eq!(keeps(6, BOTH), (Some(5), Some(5)));
        assert_eq!(keeps(6, SeatSet::one(BLUE)), (Some(4), Some(4)));
        assert!(now.at(4).has_acted(BOTH) && !now.at(2).has_acted(SeatSet::one(BLUE)));
    }

    #[test]
    fn a_turn_waits_for_its_confirmation_unless_chance_ends_it() {
        let mut now = played(Some(BOTH));
        let status = |now: &Match<Toy>| (now.status(), now.acting(), now.turn());
        assert_eq!(status(&now), (Status::Playing, Some(RED), 4));
        now.append(SmolStr::new("6"), Toy(Actor::Terminal, 5));
        assert_eq!(status(&now), (Status::Confirming, Some(RED), 4));
        assert_eq!((now.outcome(), now.length_after_undo(BOTH, true)), (None, Some(5)));
        now.confirm();
        assert_eq!((now.status(), now.acting()), (Status::Over, None));
        assert_eq!(now.outcome().map(|outcome| outcome.winners), Some(SeatSet::one(BLUE)));
        now.undo(3);
        assert_eq!(status(&now), (Status::Playing, None, 2));
    }

    #[test]
    fn the_turns_of_engines_are_confirmed_at_once() {
        let mut now = played(Some(SeatSet::one(BLUE)));
        now.append(SmolStr::new("6"), Toy(Actor::Seat(BLUE), 5));
        assert_eq!((now.status(), now.confirmed()), (Status::Playing, 7));
        now.append(SmolStr::new("7"), Toy(Actor::Seat(RED), 6));
        assert_eq!((now.status(), now.acting()), (Status::Confirming, Some(BLUE)));
        // Its player leaves, and comes back.
        now.set_confirming(SeatSet::EMPTY);
        now.set_confirming(BOTH);
        assert_eq!((now.status(), now.acting()), (Status::Playing, Some(RED)));
    }

    #[test]
    fn a_match_ends_by_other_causes_than_the_rules() {
        let mut now = played(None);
        let before = now.clone();
        now.end(Termination { reason: "time", loser: Some(RED) });
        let outcome = Outcome { winners: SeatSet::one(BLUE), reason: "time" };
        assert_eq!((now.status(), now.acting(), now.outcome()), (Status::Over, None, Some(outcome)));
        now.end(Termination { reason: "agreed", loser: None });
        assert_eq!(now.outcome().map(|outcome| outcome.returns(2)), Some(vec![0.0, 0.0]));
        assert_eq!((before.status(), now.at(6).status()), (Status::Playing, Status::Playing));
    }

    #[test]
    fn the_opening_lasts_until_every_seat_has_completed_a_turn() {
        let now = played(None);
        let opening: Vec<_> = (0..=6).map(|count| now.at(count).is_opening()).collect();
        assert_eq!(opening, [true, true, true, true, false, false, false]);
    }
}
