//! What is certain of turns, however many actions they have: of a seat's own to its end, and of the one after it.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tavola_core::perft::next_actions;
use tavola_core::{Actor, Game, Seat, SeatSet};

use crate::budget::Budget;
use crate::prove::Keys;

/// Looks at turns to their ends, and remembers what it has seen.
///
/// It says what is certain, and nothing of what the positions did not suffice to see.
pub(crate) struct Turns<'a, G: Game> {
    game: &'a G,
    /// Whose turn is the first.
    seat: Seat,
    budget: Budget<'a>,
    known: HashMap<(u64, Seat), bool, BuildHasherDefault<Keys>>,
    /// Room for the actions of a position and for one that follows, kept from one to the next.
    rooms: Vec<(Vec<G::Action>, G::State)>,
}

impl<'a, G: Game> Turns<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        seat: Seat,
        stop: &'a AtomicBool,
        deadline: Option<Instant>,
        positions: u64,
    ) -> Self {
        Self {
            game,
            seat,
            budget: Budget::new(stop, deadline, positions),
            known: HashMap::default(),
            rooms: Vec::new(),
        }
    }

    /// Whether a seat wins before anybody else acts, chance included.
    pub(crate) fn wins(&mut self, state: &G::State, winner: Seat) -> bool {
        match self.game.to_act(state) {
            Actor::Nobody => self.is_won(state, winner),
            Actor::Seat(actor) if actor == winner => self.remembered(state, winner, Self::wins),
            Actor::Seat(_) | Actor::Chance => false,
        }
    }

    /// Whether a seat wins in the turn after the first one, however that one goes on and whatever chance does.
    pub(crate) fn falls(&mut self, state: &G::State, winner: Seat) -> bool {
        match self.game.to_act(state) {
            Actor::Nobody => self.is_won(state, winner),
            Actor::Seat(actor) if actor == winner => self.wins(state, winner),
            Actor::Seat(actor) if actor != self.seat => false,
            Actor::Seat(_) | Actor::Chance => self.remembered(state, winner, Self::falls),
        }
    }

    fn is_won(&self, state: &G::State, winner: Seat) -> bool {
        self.game.outcome(state).is_some_and(|outcome| outcome.winners == SeatSet::one(winner))
    }

    /// Whether the seat to act has an action of which `leads` holds; if it is not the winner, whether all are such.
    fn remembered(&mut self, state: &G::State, winner: Seat, leads: fn(&mut Self, &G::State, Seat) -> bool) -> bool {
        let key = (self.game.key(state), winner);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (mut actions, mut after) = self.rooms.pop().unwrap_or_else(|| (Vec::new(), state.clone()));
        actions.clear();
        next_actions(self.game, state, &mut actions);
        let any = self.game.to_act(state) == Actor::Seat(winner);
        let mut found = !any;
        for &action in &actions {
            self.budget.take();
            if self.budget.is_over() {
                self.rooms.push((actions, after));
                return false;
            }
            after.clone_from(state);
            self.game.play_unchecked(&mut after, action);
            if leads(self, &after, winner) == any {
                found = any;
                break;
            }
        }
        self.rooms.push((actions, after));
        // What was found holds even if it was the last that could be looked at.
        if found || !self.budget.is_over() {
            self.known.insert(key, found);
        }
        found
    }
}
