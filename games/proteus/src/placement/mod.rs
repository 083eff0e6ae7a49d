//! The placement, decided by a search down to its ends, whose results [`Ends`] has.
//!
//! A question is whether a seat can force a win: it needs one action that keeps the win, and the other seat one that
//! prevents it. A depth-first search answers it, with a table of decided positions. Actions that decided other positions are
//! tried first. [`ProofNumberSearch`] answers it too, in another way.

mod ends;
mod proof_number;

pub use ends::Ends;
pub use proof_number::ProofNumberSearch;

use std::collections::BTreeMap;

use tavola_core::random::mix;
use tavola_core::{CancelToken, Game, Playout, Random, Seat};

use crate::actions::Action;
use crate::endgame::Verdict;
use crate::placement::ends::class;
pub use crate::placement_key::key;
use crate::rules::Proteus;
use crate::state::State;

/// With at least this number of pieces left to place, the table is asked for all positions after an action before one of
/// them is searched.
const LOOK_AHEAD: u32 = 4;

/// The positions between two looks whether a search is cancelled.
const UNTIL_STOP: u64 = 1 << 20;

/// The positions between two reports.
const REPORT_EVERY: u64 = 1 << 24;

/// Whether two positions of the placement are equal up to the board's symmetries.
pub fn are_equal(one: &State, other: &State) -> bool {
    key(one) == key(other)
}

/// Whether pieces are still to be placed.
pub fn is_placement(state: &State) -> bool {
    state.end.is_none() && state.count.is_none()
}

/// A random position with this number of pieces left to place.
pub fn random_position(game: &Proteus, left: u32, random: &mut Random) -> State {
    let mut state = game.start();
    while state.board.left_to_place() > left {
        game.play_random_action(&mut state, random);
        if state.end.is_some() {
            state = game.start();
        }
    }
    state
}

/// The seat that wins a position of the placement with best play of both, by plain recursion over the rules.
///
/// `ends` gets an end of the placement and the class of its layout. `known` has the results so far, by the keys of the game.
pub fn winner(
    game: &Proteus,
    state: &State,
    ends: &impl Fn(&State, usize) -> Verdict,
    known: &mut BTreeMap<u64, Option<Seat>>,
) -> Option<Seat> {
    if let Some(end) = state.end {
        return end.winner;
    }
    if state.count.is_some() {
        return match ends(state, class(state)) {
            Verdict::Won => Some(state.seat),
            Verdict::Lost => Some(1 - state.seat),
            Verdict::Drawn => None,
        };
    }
    if let Some(&winner) = known.get(&game.key(state)) {
        return winner;
    }
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let after = actions.into_iter().map(|action| {
        let mut after = state.clone();
        game.play_unchecked(&mut after, action);
        winner(game, &after, ends, known)
    });
    let results: Vec<_> = after.collect();
    let best = [Some(state.seat), None, Some(1 - state.seat)];
    let winner = best.into_iter().find(|result| results.contains(result)).expect("a seat acts");
    known.insert(game.key(state), winner);
    winner
}

/// Answers whether a seat can force a win.
pub struct Solver<'a, E> {
    game: Proteus,
    /// The result of an end of the placement for the seat to act, given the class of its layout.
    ends: E,
    /// The seat whose win is asked.
    winner: Seat,
    decided: Table,
    /// Positions visited, ends of the placement included.
    visited: u64,
    /// The search gives up once it has visited this number.
    most: u64,
    /// How often each action decided a position, by the seat and the pieces left.
    history: Vec<u32>,
    /// Gets the number of positions visited from time to time.
    report: Box<dyn FnMut(u64) + Send + 'a>,
}

impl<'a, E: Fn(&State, usize) -> Verdict> Solver<'a, E> {
    /// `memory` is the size of the table in bytes. `report` gets the number of positions visited from time to time.
    pub fn new(game: Proteus, ends: E, winner: Seat, memory: usize, report: impl FnMut(u64) + Send + 'a) -> Self {
        let history = vec![0; 2 * 16 * usize::from(Action::COUNT)];
        Self {
            game,
            ends,
            winner,
            decided: Table::new(memory),
            visited: 0,
            most: u64::MAX,
            history,
            report: Box::new(report),
        }
    }

    /// Whether the seat can force a win from a position of the placement.
    pub fn can_win(&mut self, state: &State) -> bool {
        self.decide(state, None).expect("a search without end")
    }

    /// Whether the seat can force a win; `None` if that takes more than this number of positions, or is cancelled.
    pub fn can_win_within(&mut self, state: &State, positions: u64, stop: &CancelToken) -> Option<bool> {
        let end = self.visited.saturating_add(positions);
        let mut wins = None;
        // The table keeps what a part of the search has decided.
        while wins.is_none() && self.visited < end && !stop.is_cancelled() {
            self.most = end.min(self.visited + UNTIL_STOP);
            wins = self.decide(state, None);
        }
        self.most = u64::MAX;
        wins
    }

    /// An action of the other seat after which the asked seat cannot force a win, if any.
    pub fn refutation(&mut self, state: &State) -> Option<Action> {
        self.leading_to(state, false)
    }

    /// An action of the asked seat that keeps its win, if it can force one.
    pub fn winning_action(&mut self, state: &State) -> Option<Action> {
        if !self.can_win(state) {
            return None;
        }
        let actions = self.actions(state, state.board.left_to_place());
        self.known(state, &actions, true).or_else(|| self.leading_to(state, true))
    }

    /// The first action after which the asked seat can force a win, or cannot.
    fn leading_to(&mut self, state: &State, wins: bool) -> Option<Action> {
        let mut after = state.clone();
        self.actions(state, state.board.left_to_place()).into_iter().find(|action| {
            after.clone_from(state);
            self.game.play_kind(&mut after, action.kind());
            self.can_win(&after) == wins
        })
    }

    /// Positions visited so far, ends of the placement included.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// Whether the asked seat can force a win; `None` if the search gives up. `layout` is the class of the layout, once all
    /// tiles are down.
    fn decide(&mut self, state: &State, layout: Option<usize>) -> Option<bool> {
        if let Some(end) = state.end {
            return Some(end.winner == Some(self.winner));
        }
        if self.visited >= self.most {
            return None;
        }
        self.visited += 1;
        if self.visited.is_multiple_of(REPORT_EVERY) {
            (self.report)(self.visited);
        }
        let layout = layout.or_else(|| (state.board.pool() == 0).then(|| class(state)));
        if state.count.is_some() {
            let wins = if state.seat == self.winner { Verdict::Won } else { Verdict::Lost };
            return Some((self.ends)(state, layout.expect("every tile is down")) == wins);
        }
        let left = state.board.left_to_place();
        // The last placement costs less than the table.
        let key = if left > 1 { key(state) } else { 0 };
        if left > 1
            && let Some(wins) = self.decided.get(key)
        {
            return Some(wins);
        }
        let mine = state.seat == self.winner;
        let actions = self.actions(state, left);
        let row = row(state.seat, left);
        let known = if left >= LOOK_AHEAD { self.known(state, &actions, mine) } else { None };
        let mut after = state.clone();
        let (mut best, mut untried) = (known, actions.into_iter());
        while best.is_none()
            && let Some(action) = untried.next()
        {
            after.clone_from(state);
            self.game.play_kind(&mut after, action.kind());
            best = (self.decide(&after, layout)? == mine).then_some(action);
        }
        if let Some(action) = best {
            let count = &mut self.history[row + usize::from(action.index())];
            *count = count.saturating_add(1);
        }
        let wins = best.is_some() == mine;
        if left > 1 {
            self.decided.put(key, wins, left);
        }
        Some(wins)
    }

    /// The legal actions, those first that decided most positions.
    fn actions(&self, state: &State, left: u32) -> Vec<Action> {
        let mut actions = Vec::with_capacity(64);
        self.game.legal_actions(state, &mut actions);
        if left > 1 {
            let history = &self.history[row(state.seat, left)..];
            actions.sort_by_key(|action| u32::MAX - history[usize::from(action.index())]);
        }
        actions
    }

    /// An action to a position that is known to have the result, if any.
    fn known(&self, state: &State, actions: &[Action], wins: bool) -> Option<Action> {
        let mut after = state.clone();
        let leads = |action: &&Action| {
            after.clone_from(state);
            self.game.play_kind(&mut after, action.kind());
            after.end.is_none() && self.decided.get(key(&after)) == Some(wins)
        };
        actions.iter().find(leads).copied()
    }
}

/// Where the history of a seat with this number of pieces left begins.
fn row(seat: Seat, left: u32) -> usize {
    (usize::from(seat) * 16 + left as usize) * usize::from(Action::COUNT)
}

/// A table of fixed size with the results of positions: a new entry may take the place of an old one.
struct Table {
    /// Keys with the result and the number of pieces left; 0 for none.
    entries: Vec<u64>,
}

/// How many neighbouring places an entry may take.
const WAYS: usize = 4;

/// The bits of an entry below the key: the pieces left, and the result.
const LEFT_BITS: u32 = 4;
const BELOW: u32 = LEFT_BITS + 1;

impl Table {
    fn new(memory: usize) -> Self {
        let size = 1 << (memory / size_of::<u64>()).max(WAYS).ilog2();
        Self { entries: vec![0; size] }
    }

    fn first(&self, key: u64) -> usize {
        mix(key) as usize & (self.entries.len() - 1) & !(WAYS - 1)
    }

    fn get(&self, key: u64) -> Option<bool> {
        let first = self.first(key);
        let entry = self.entries[first..first + WAYS].iter().find(|&&entry| entry >> BELOW == key)?;
        Some(entry & 1 == 1)
    }

    /// Takes an empty place, or that of the entry with the fewest pieces left.
    fn put(&mut self, key: u64, wins: bool, left: u32) {
        let first = self.first(key);
        let ways = &mut self.entries[first..first + WAYS];
        let pieces_left = |&entry: &u64| entry >> 1 & ((1 << LEFT_BITS) - 1);
        if let Some(place) = (0..WAYS).min_by_key(|&place| pieces_left(&ways[place])) {
            ways[place] = key << BELOW | u64::from(left) << 1 | u64::from(wins);
        }
    }
}

#[cfg(test)]
mod tests;
