//! The placement, decided by a proof search down to its ends, whose results [`Ends`] has.
//!
//! A question is whether a seat can force a win. Proof numbers (df-pn) choose what is searched next: for the seat to act,
//! how hard it seems to reach its aim, and to refute it. The aim of the asked seat is the win, that of the other seat to
//! prevent it. Positions with few pieces left are decided depth first.

mod ends;
mod key;

pub use ends::Ends;

use tavola_core::random::mix;
use tavola_core::{Game, Playout, Random, Seat};

use crate::actions::Action;
use crate::endgame::Verdict;
use crate::placement::ends::class;
use crate::placement::key::key;
use crate::rules::Proteus;
use crate::state::State;

/// With at most this number of pieces left to place, a position is decided depth first.
const DEPTH_FIRST: u32 = 5;

/// The proof number of what is impossible.
const NEVER: u32 = 1 << 30;

/// For the seat to act: how hard it seems to reach its aim, and to refute it. One of them is 0 once it is decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Numbers {
    reach: u32,
    refute: u32,
}

impl Numbers {
    const UNKNOWN: Self = Self { reach: 1, refute: 1 };

    const fn decided(reached: bool) -> Self {
        if reached { Self { reach: 0, refute: NEVER } } else { Self { reach: NEVER, refute: 0 } }
    }

    const fn is_decided(self) -> bool {
        self.reach == 0 || self.refute == 0
    }
}

/// Whether two positions of the placement are equal up to the board's symmetries.
pub fn are_equal(one: &State, other: &State) -> bool {
    key(one) == key(other)
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

/// The work of the searches so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Effort {
    /// Positions visited, ends of the placement included.
    pub positions: u64,
    /// Positions whose proof numbers were stored.
    pub stored: u64,
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [positions, stored] = [self.positions, self.stored].map(|count| count as f64 / 1e6);
        write!(f, "{positions:.1} million positions, {stored:.1} million proof numbers stored")
    }
}

/// The seat that wins a position of the placement with best play of both, by plain recursion over the rules.
///
/// `ends` gets an end of the placement and the class of its layout.
pub fn winner(game: &Proteus, state: &State, ends: &impl Fn(&State, usize) -> Verdict) -> Option<Seat> {
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
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let after = actions.into_iter().map(|action| {
        let mut after = state.clone();
        game.play_unchecked(&mut after, action);
        winner(game, &after, ends)
    });
    let results: Vec<_> = after.collect();
    let best = [Some(state.seat), None, Some(1 - state.seat)];
    best.into_iter().find(|result| results.contains(result)).expect("a seat acts")
}

/// Answers whether a seat can force a win.
pub struct Solver<'a, E> {
    game: Proteus,
    /// The result of an end of the placement for the seat to act, given the class of its layout.
    ends: E,
    /// The seat whose win is asked.
    winner: Seat,
    numbers: Table<Numbers>,
    decided: Table<bool>,
    effort: Effort,
    /// How often each action decided a position, by the seat and the pieces left.
    history: Vec<u32>,
    /// Gets the effort from time to time.
    report: Box<dyn FnMut(Effort) + 'a>,
}

impl<'a, E: Fn(&State, usize) -> Verdict> Solver<'a, E> {
    /// `memory` is the size of the tables in bytes. `report` is called from time to time.
    pub fn new(game: Proteus, ends: E, winner: Seat, memory: usize, report: impl FnMut(Effort) + 'a) -> Self {
        let history = vec![0; 2 * 16 * usize::from(Action::COUNT)];
        let (numbers, decided) = (Table::new(memory / 2), Table::new(memory / 2));
        Self { game, ends, winner, numbers, decided, effort: Effort::default(), history, report: Box::new(report) }
    }

    /// Whether the seat can force a win from a position of the placement.
    pub fn can_win(&mut self, state: &State) -> bool {
        let numbers = self.search(state, Numbers { reach: NEVER, refute: NEVER });
        debug_assert!(numbers.is_decided());
        (numbers.reach == 0) == (state.seat == self.winner)
    }

    /// The work of the searches so far.
    pub fn effort(&self) -> Effort {
        self.effort
    }

    /// Searches until one of the numbers reaches its limit.
    fn search(&mut self, state: &State, limit: Numbers) -> Numbers {
        let key = key(state);
        let found = self.lookup(state, key);
        if found.is_decided() || found.reach >= limit.reach || found.refute >= limit.refute {
            return found;
        }
        if state.board.left_to_place() <= DEPTH_FIRST {
            return Numbers::decided(self.decide(state, None) == (state.seat == self.winner));
        }
        self.effort.positions += 1;
        let mut children = self.children(state);
        let numbers = loop {
            let numbers = Self::combine(&children);
            if numbers.reach >= limit.reach || numbers.refute >= limit.refute {
                break numbers;
            }
            let (chosen, second) = Self::choose(&children);
            let open = children.iter().filter(|child| child.numbers.reach != 0).count() as u32;
            // The other seat acts next: what it has to reach, this seat has to refute.
            let next = Numbers {
                reach: limit.refute.saturating_sub(open - 1).min(NEVER),
                refute: limit.reach.min(second.saturating_add(second / 4).saturating_add(1)),
            };
            children[chosen].numbers = self.search(&children[chosen].state.clone(), next);
        };
        self.numbers.put(key, numbers);
        self.effort.stored += 1;
        if self.effort.stored.is_multiple_of(1 << 18) {
            (self.report)(self.effort);
        }
        numbers
    }

    fn children(&mut self, state: &State) -> Vec<Child> {
        let mut actions = Vec::with_capacity(64);
        self.game.legal_actions(state, &mut actions);
        let mut children: Vec<Child> = Vec::with_capacity(actions.len());
        for action in actions {
            let mut after = state.clone();
            self.game.play_kind(&mut after, action.kind());
            let key = key(&after);
            // Actions that are equal up to symmetry lead to the same position.
            if children.iter().all(|child| child.key != key) {
                let numbers = self.lookup(&after, key);
                children.push(Child { state: after, key, numbers });
            }
        }
        children
    }

    /// The numbers of a position as far as they are known.
    fn lookup(&self, state: &State, key: u64) -> Numbers {
        if let Some(end) = state.end {
            return Numbers::decided((end.winner == Some(self.winner)) == (state.seat == self.winner));
        }
        if state.board.left_to_place() <= DEPTH_FIRST {
            let wins = self.decided.get(key);
            return wins.map_or(Numbers::UNKNOWN, |wins| Numbers::decided(wins == (state.seat == self.winner)));
        }
        self.numbers.get(key).unwrap_or(Numbers::UNKNOWN)
    }

    /// One action that reaches the aim is enough; to refute it, all must fail. Since many lines lead to the same positions,
    /// the hardest of them counts, not the sum.
    fn combine(children: &[Child]) -> Numbers {
        let reach = children.iter().map(|child| child.numbers.refute).min().expect("a seat acts");
        let open = children.iter().filter(|child| child.numbers.reach != 0);
        let (count, hardest) = open.fold((0, 0), |(count, most), child| (count + 1, most.max(child.numbers.reach)));
        if reach == 0 {
            return Numbers::decided(true);
        }
        if count == 0 {
            return Numbers::decided(false);
        }
        Numbers { reach, refute: (hardest + count - 1).min(NEVER - 1) }
    }

    /// The child that seems easiest to refute, and the number of the second.
    fn choose(children: &[Child]) -> (usize, u32) {
        let (mut chosen, mut best, mut second) = (0, u32::MAX, NEVER);
        for (place, child) in children.iter().enumerate() {
            if child.numbers.refute < best {
                (chosen, second, best) = (place, best.min(NEVER), child.numbers.refute);
            } else {
                second = second.min(child.numbers.refute);
            }
        }
        (chosen, second)
    }

    /// Whether the asked seat can force a win. `layout` is the class of the layout, once all tiles are down.
    fn decide(&mut self, state: &State, layout: Option<usize>) -> bool {
        if let Some(end) = state.end {
            return end.winner == Some(self.winner);
        }
        self.effort.positions += 1;
        let layout = layout.or_else(|| (state.board.pool() == 0).then(|| class(state)));
        if state.count.is_some() {
            let wins = if state.seat == self.winner { Verdict::Won } else { Verdict::Lost };
            return (self.ends)(state, layout.expect("every tile is down")) == wins;
        }
        let left = state.board.left_to_place();
        let key = if left > 1 { key(state) } else { 0 };
        if left > 1
            && let Some(wins) = self.decided.get(key)
        {
            return wins;
        }
        let mut actions = Vec::with_capacity(32);
        self.game.legal_actions(state, &mut actions);
        let mine = state.seat == self.winner;
        let row = (usize::from(mine) * 16 + left as usize) * usize::from(Action::COUNT);
        if left > 1 {
            let history = &self.history[row..];
            actions.sort_by_key(|action| u32::MAX - history[usize::from(action.index())]);
        }
        let mut after = state.clone();
        let best = actions.into_iter().find(|action| {
            after.clone_from(state);
            self.game.play_kind(&mut after, action.kind());
            self.decide(&after, layout) == mine
        });
        if let Some(action) = best {
            self.history[row + usize::from(action.index())] += 1;
        }
        let wins = best.is_some() == mine;
        if left > 1 {
            self.decided.put(key, wins);
        }
        wins
    }
}

/// A position after an action.
struct Child {
    state: State,
    key: u64,
    numbers: Numbers,
}

/// A table of fixed size: a new entry may take the place of an old one.
struct Table<T> {
    /// Keys and values; no position has the key 0.
    entries: Vec<(u64, T)>,
}

/// How many neighbouring places an entry may take.
const WAYS: usize = 4;

impl<T: Copy + Default> Table<T> {
    fn new(memory: usize) -> Self {
        let size = (memory / size_of::<(u64, T)>()).next_power_of_two() / 2;
        Self { entries: vec![(0, T::default()); size.max(WAYS)] }
    }

    fn first(&self, key: u64) -> usize {
        mix(key) as usize & (self.entries.len() - 1) & !(WAYS - 1)
    }

    fn get(&self, key: u64) -> Option<T> {
        let first = self.first(key);
        self.entries[first..first + WAYS].iter().find(|entry| entry.0 == key).map(|entry| entry.1)
    }

    fn put(&mut self, key: u64, value: T) {
        let first = self.first(key);
        let ways = &mut self.entries[first..first + WAYS];
        // The oldest entry is the last.
        let place = ways.iter().position(|entry| entry.0 == key || entry.0 == 0).unwrap_or(WAYS - 1);
        ways[..=place].rotate_right(1);
        ways[0] = (key, value);
    }
}

#[cfg(test)]
mod tests;
