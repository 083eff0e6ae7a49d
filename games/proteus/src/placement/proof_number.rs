//! Depth-first proof-number search (df-pn): a second search of another kind for the question of the [`Solver`](super::Solver).
//!
//! The two share the rules, the keys and the results of the ends. Each seat has an aim: the asked seat to win, the other to
//! prevent that. The search expands the child that seems to decide its parent with the least work, until another child seems
//! to need less.
//!
//! Many orders of placements lead to one position, so the numbers of the children are not added up: a sum would count the
//! same work many times. The largest of them, and one for each other open child, are a weak proof number.
//!
//! Sources: A. Nagai, Df-pn algorithm for searching AND/OR trees and its applications (2002). J. Pawlewicz and Ł. Lew,
//! Improving depth-first PN-search: 1 + ε trick (2006). T. Ueda et al., Weak proof-number search (2008).

use tavola_core::random::mix;
use tavola_core::{Game, Seat};

use crate::actions::Action;
use crate::endgame::Verdict;
use crate::placement::ends::class;
use crate::placement::{REPORT_EVERY, key};
use crate::rules::Proteus;
use crate::state::State;

/// Plain recursion decides positions with at most this number of pieces left to place.
const RECURSION: u32 = 4;

/// The search leaves a child that needs this many times the work of the next one: 1 + ε.
const FACTOR: u32 = 2;

/// The work to show what is not true. The numbers of open positions stay far below.
const INFINITE: u32 = u32::MAX;

/// The estimated work to show that the seat to act reaches its aim, and that it does not: 0 for what is shown.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    phi: u32,
    delta: u32,
}

impl Numbers {
    const UNKNOWN: Self = Self { phi: 1, delta: 1 };
    const REACHED: Self = Self { phi: 0, delta: INFINITE };
    const MISSED: Self = Self { phi: INFINITE, delta: 0 };
}

/// A position after an action.
struct Child {
    action: Action,
    key: u64,
    numbers: Numbers,
}

/// Answers whether a seat can force a win.
pub struct ProofNumberSearch<'a, E> {
    game: Proteus,
    /// The result of an end of the placement for the seat to act, given the class of its layout.
    ends: E,
    /// The seat whose win is asked.
    winner: Seat,
    table: Table,
    /// Positions visited, ends of the placement included.
    visited: u64,
    /// Gets the number of positions visited from time to time.
    report: Box<dyn FnMut(u64) + Send + 'a>,
}

impl<'a, E: Fn(&State, usize) -> Verdict> ProofNumberSearch<'a, E> {
    /// `memory` is the size of the table in bytes. `report` gets the number of positions visited from time to time.
    pub fn new(game: Proteus, ends: E, winner: Seat, memory: usize, report: impl FnMut(u64) + Send + 'a) -> Self {
        Self { game, ends, winner, table: Table::new(memory), visited: 0, report: Box::new(report) }
    }

    /// Whether the seat can force a win from a position of the placement.
    pub fn can_win(&mut self, state: &State) -> bool {
        let limit = Numbers { phi: INFINITE, delta: INFINITE };
        let reached = self.search(state, key(state), limit).phi == 0;
        reached == (state.seat == self.winner)
    }

    /// Positions visited so far, ends of the placement included.
    pub fn visited(&self) -> u64 {
        self.visited
    }

    /// The numbers of a position, once one of them reaches its limit.
    fn search(&mut self, state: &State, key: u64, limit: Numbers) -> Numbers {
        let before = self.visited;
        if state.end.is_some() || state.board.left_to_place() <= RECURSION {
            let numbers = if self.is_reached(state) { Numbers::REACHED } else { Numbers::MISSED };
            self.table.put(key, numbers, self.visited - before);
            return numbers;
        }
        self.visit();
        let mut children = self.children(state);
        let mut after = state.clone();
        loop {
            children.sort_by_key(|child| child.numbers.delta);
            let (first, others) = children.split_first_mut().expect("a seat acts");
            let open = others.iter().filter(|child| child.numbers.phi > 0).count() as u32;
            let most = others.iter().fold(first.numbers.phi, |most, child| most.max(child.numbers.phi));
            let numbers = Numbers { phi: first.numbers.delta, delta: most.saturating_add(open) };
            if numbers.phi >= limit.phi || numbers.delta >= limit.delta {
                self.table.put(key, numbers, self.visited - before);
                return numbers;
            }
            let second = others.first().map_or(INFINITE, |child| child.numbers.delta);
            let child_limit = Numbers {
                phi: limit.delta - numbers.delta + first.numbers.phi,
                delta: limit.phi.min(second.saturating_mul(FACTOR)),
            };
            after.clone_from(state);
            self.game.play_unchecked(&mut after, first.action);
            first.numbers = self.search(&after, first.key, child_limit);
        }
    }

    /// The positions after each action, those that are equal up to symmetry once.
    fn children(&self, state: &State) -> Vec<Child> {
        let mut actions = Vec::with_capacity(64);
        self.game.legal_actions(state, &mut actions);
        let mut after = state.clone();
        let child = |action| {
            after.clone_from(state);
            self.game.play_unchecked(&mut after, action);
            let key = key(&after);
            Child { action, key, numbers: self.table.get(key).unwrap_or(Numbers::UNKNOWN) }
        };
        let mut children: Vec<_> = actions.into_iter().map(child).collect();
        children.sort_by_key(|child| child.key);
        children.dedup_by_key(|child| child.key);
        children
    }

    /// Whether the seat to act reaches its aim, by plain recursion.
    fn is_reached(&mut self, state: &State) -> bool {
        self.visit();
        let mine = state.seat == self.winner;
        if let Some(end) = state.end {
            return (end.winner == Some(self.winner)) == mine;
        }
        if state.count.is_some() {
            let wins = if mine { Verdict::Won } else { Verdict::Lost };
            return ((self.ends)(state, class(state)) == wins) == mine;
        }
        let mut actions = Vec::with_capacity(32);
        self.game.legal_actions(state, &mut actions);
        let mut after = state.clone();
        actions.into_iter().any(|action| {
            after.clone_from(state);
            self.game.play_unchecked(&mut after, action);
            !self.is_reached(&after)
        })
    }

    fn visit(&mut self) {
        self.visited += 1;
        if self.visited.is_multiple_of(REPORT_EVERY) {
            (self.report)(self.visited);
        }
    }
}

/// A table of fixed size with the numbers of positions: a new entry may take the place of an old one.
struct Table {
    buckets: Vec<Bucket>,
}

/// The entries that share a cache line.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Entry; 4]);

#[derive(Clone, Copy, Default)]
struct Entry {
    /// The key, and below it the binary logarithm of the positions visited for the numbers.
    key: u64,
    numbers: Numbers,
}

/// The bits of an entry below the key.
const SIZE_BITS: u32 = 6;

impl Table {
    fn new(memory: usize) -> Self {
        let size = 1 << (memory / size_of::<Bucket>()).max(1).ilog2();
        Self { buckets: vec![Bucket::default(); size] }
    }

    fn place(&self, key: u64) -> usize {
        mix(key) as usize & (self.buckets.len() - 1)
    }

    fn get(&self, key: u64) -> Option<Numbers> {
        let Bucket(entries) = &self.buckets[self.place(key)];
        entries.iter().find(|entry| entry.key >> SIZE_BITS == key).map(|entry| entry.numbers)
    }

    /// Takes the place of the same position, or that of the entry with the fewest positions visited.
    fn put(&mut self, key: u64, numbers: Numbers, visited: u64) {
        let place = self.place(key);
        let Bucket(entries) = &mut self.buckets[place];
        let size = |entry: &&mut Entry| {
            let other = entry.key >> SIZE_BITS != key;
            other.then_some(entry.key & ((1 << SIZE_BITS) - 1))
        };
        if let Some(entry) = entries.iter_mut().min_by_key(size) {
            *entry = Entry { key: key << SIZE_BITS | u64::from(visited.ilog2()), numbers };
        }
    }
}
