//! Forced results of whole turns, however many actions they have.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use tavola_core::perft::next_actions;
use tavola_core::{Actor, Game, Seat, SeatSet};

use crate::budget::PositionBudget;
use crate::proof::prove::Keys;

/// The maximum number of actions of two turns: far more than any game has, and few enough for the stack.
const LONGEST: usize = 500;

/// Searches one seat's turn and the next one to their ends, and stores the results.
///
/// A positive result is a proof. A negative one may only mean that the budget is spent.
pub(crate) struct Turns<'a, G: Game> {
    game: &'a G,
    /// The seat that acts first, and its turn.
    seat: Seat,
    now: u32,
    budget: PositionBudget<'a>,
    /// The current depth in actions.
    depth: usize,
    known: HashMap<(u64, Seat), bool, BuildHasherDefault<Keys>>,
    /// Reusable buffers for the actions of a position and a successor.
    rooms: Vec<(Vec<G::Action>, G::State)>,
}

impl<'a, G: Game> Turns<'a, G> {
    pub(crate) fn new(game: &'a G, state: &G::State, seat: Seat, budget: PositionBudget<'a>) -> Self {
        Self { game, seat, now: game.turn(state), budget, depth: 0, known: HashMap::default(), rooms: Vec::new() }
    }

    /// Whether a seat forces a win: the seat that acts first by the end of this turn, another by the end of the next.
    pub(crate) fn wins(&mut self, state: &G::State, winner: Seat) -> bool {
        let actor = self.game.to_act(state);
        if actor == Actor::Terminal {
            return self.game.outcome(state).is_some_and(|outcome| outcome.winners == SeatSet::one(winner));
        }
        if self.game.turn(state) > self.now + u32::from(winner != self.seat) || self.depth == LONGEST {
            return false;
        }
        let key = (self.game.key(state), winner);
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let (mut actions, mut after) = self.rooms.pop().unwrap_or_else(|| (Vec::new(), state.clone()));
        actions.clear();
        next_actions(self.game, state, &mut actions);
        // For the winner one action suffices; for others and for chance all must lead to the win.
        let any = actor == Actor::Seat(winner);
        let mut found = !any;
        for &action in &actions {
            self.budget.take();
            if self.budget.is_over() {
                self.rooms.push((actions, after));
                return false;
            }
            after.clone_from(state);
            self.game.play_unchecked(&mut after, action);
            self.depth += 1;
            let wins = self.wins(&after, winner);
            self.depth -= 1;
            if wins == any {
                found = any;
                break;
            }
        }
        self.rooms.push((actions, after));
        // A win holds even if it used the last of the budget.
        if found || !self.budget.is_over() {
            self.known.insert(key, found);
        }
        found
    }
}
