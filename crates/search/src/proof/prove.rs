//! What is certain: who wins within so many actions, whatever the others do.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::time::Instant;

use tavola_core::perft::next_actions;
use tavola_core::{Actor, CancelToken, Game, Seat, SeatSet};

use crate::budget::PositionBudget;

/// A win that nobody can prevent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The seat that wins.
    pub winner: Seat,
    /// With how many more actions at the latest, chance included, if it plays well; no fewer will do.
    pub plies: u32,
}

/// Looks for a win that is forced within `plies` actions; `None` means that there is none, or that `stop` was set.
///
/// This is proof and not estimate: of the winner's actions one that wins is enough, of the others' and of chance
/// every one must lead to the win. Draws and repetition count as the rules have them.
pub fn prove<G: Game>(game: &G, state: &G::State, plies: u32, stop: &CancelToken) -> Option<Proof> {
    let mut prover = Prover::new(game, stop, None, u64::MAX);
    (0..=plies).find_map(|plies| Some(Proof { winner: prover.winner(state, plies)?, plies }))
}

/// How many positions are kept; beyond that they are looked at again.
const MOST_KNOWN: usize = 4_000_000;

/// Up to how many actions a win was looked for: found with, not found with.
#[derive(Clone, Copy)]
struct Known {
    found: u32,
    not_found: u32,
}

/// A game's keys are hashes already: a seat is put beside one, and that is all.
#[derive(Default)]
pub(crate) struct Keys(u64);

impl Hasher for Keys {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u64(&mut self, key: u64) {
        self.0 ^= key;
    }

    fn write_u8(&mut self, seat: u8) {
        self.0 = self.0.rotate_left(8) ^ u64::from(seat);
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u8(byte);
        }
    }
}

/// Proves one position after the other, and remembers what it has seen.
pub(crate) struct Prover<'a, G: Game> {
    game: &'a G,
    budget: PositionBudget<'a>,
    known: HashMap<(u64, Seat), Known, BuildHasherDefault<Keys>>,
    /// Room for the actions of a position and for one that follows, kept from one to the next.
    rooms: Vec<(Vec<G::Action>, G::State)>,
}

impl<'a, G: Game> Prover<'a, G> {
    pub(crate) fn new(game: &'a G, stop: &'a CancelToken, deadline: Option<Instant>, positions: u64) -> Self {
        Self {
            game,
            budget: PositionBudget::new(stop, deadline, positions),
            known: HashMap::default(),
            rooms: Vec::new(),
        }
    }

    /// The seat that surely wins within so many actions, if the positions suffice to see it.
    pub(crate) fn winner(&mut self, state: &G::State, plies: u32) -> Option<Seat> {
        (0..self.game.seats() as Seat).find(|&seat| self.wins(state, seat, plies))
    }

    /// Whether a seat surely wins within so many actions.
    fn wins(&mut self, state: &G::State, seat: Seat, plies: u32) -> bool {
        self.budget.take();
        let actor = self.game.to_act(state);
        if actor == Actor::Terminal {
            return self.game.outcome(state).is_some_and(|outcome| outcome.winners == SeatSet::one(seat));
        }
        if plies == 0 || self.budget.is_over() {
            return false;
        }
        // The last action leads to positions that are over or not: they are cheaper to look at than to look up.
        if plies == 1 {
            return self.look(state, seat, plies, actor);
        }
        let key = (self.game.key(state), seat);
        if let Some(known) = self.known.get(&key) {
            if plies >= known.found {
                return true;
            }
            if plies <= known.not_found {
                return false;
            }
        }
        let found = self.look(state, seat, plies, actor);
        if !found && self.budget.is_over() {
            return false;
        }
        if self.known.len() < MOST_KNOWN {
            let known = self.known.entry(key).or_insert(Known { found: u32::MAX, not_found: 0 });
            if found {
                known.found = known.found.min(plies);
            } else {
                known.not_found = known.not_found.max(plies);
            }
        }
        found
    }

    fn look(&mut self, state: &G::State, seat: Seat, plies: u32, actor: Actor) -> bool {
        let (mut actions, mut after) = self.rooms.pop().unwrap_or_else(|| (Vec::new(), state.clone()));
        actions.clear();
        next_actions(self.game, state, &mut actions);
        let mut leads = |action: &G::Action| {
            after.clone_from(state);
            self.game.play_unchecked(&mut after, *action);
            self.wins(&after, seat, plies - 1)
        };
        let found =
            if actor == Actor::Seat(seat) { actions.iter().any(&mut leads) } else { actions.iter().all(&mut leads) };
        self.rooms.push((actions, after));
        found
    }
}
