//! Proof search: wins within a number of actions, against every play of the others.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use tavola_core::perft::next_actions;
use tavola_core::{Actor, CancelToken, Game, Instant, Seat, SeatSet};

use crate::budget::PositionBudget;

/// A forced win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The seat that wins.
    pub winner: Seat,
    /// The minimum number of actions that forces the win, chance outcomes included.
    pub plies: u32,
}

/// Searches for a win that is forced within `plies` actions. `None` means that there is none, or a cancellation.
///
/// The result is a proof, not an estimate. For the winner one winning action suffices. For other seats and for chance
/// every action must lead to the win. Draws and repetition follow the rules.
pub fn prove<G: Game>(game: &G, state: &G::State, plies: u32, stop: &CancelToken) -> Option<Proof> {
    prove_until(game, state, plies, None, stop).1
}

/// Searches as [`prove`] does, until a deadline. Returns also within how many actions it searched to the end.
pub fn prove_until<G: Game>(
    game: &G,
    state: &G::State,
    plies: u32,
    deadline: Option<Instant>,
    stop: &CancelToken,
) -> (u32, Option<Proof>) {
    let mut prover = Prover::new(game, stop, deadline, u64::MAX);
    for plies in 0..=plies {
        if let Some(winner) = prover.winner(state, plies) {
            return (plies, Some(Proof { winner, plies }));
        }
        if prover.budget.is_over() {
            return (plies.saturating_sub(1), None);
        }
    }
    (plies, None)
}

/// The maximum number of stored positions; others are searched again.
const MOST_KNOWN: usize = 4_000_000;

/// The fewest actions with a win, and the most actions without one.
#[derive(Clone, Copy)]
struct Known {
    found: u32,
    not_found: u32,
}

/// A hasher for the keys of a game, which are hashes already, together with a seat.
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

/// Proves one position after another and stores the results.
pub(crate) struct Prover<'a, G: Game> {
    game: &'a G,
    budget: PositionBudget<'a>,
    known: HashMap<(u64, Seat), Known, BuildHasherDefault<Keys>>,
    /// Reusable buffers for the actions of a position and a successor.
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

    /// The seat that forces a win within `plies` actions; `None` if there is none or the budget is spent.
    pub(crate) fn winner(&mut self, state: &G::State, plies: u32) -> Option<Seat> {
        (0..self.game.seats() as Seat).find(|&seat| self.wins(state, seat, plies))
    }

    /// Whether a seat forces a win within `plies` actions.
    fn wins(&mut self, state: &G::State, seat: Seat, plies: u32) -> bool {
        self.budget.take();
        let actor = self.game.to_act(state);
        if actor == Actor::Terminal {
            return self.game.outcome(state).is_some_and(|outcome| outcome.winners == SeatSet::one(seat));
        }
        if plies == 0 || self.budget.is_over() {
            return false;
        }
        // After the last action only the end of the game matters, which is cheaper to check than to look up.
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
