//! Perfect play: in the movement phase by the file, and in the placement by a search down to its ends.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tavola_core::{CancelToken, Evaluate, Game, Seat, SeatSet, Text};

use crate::actions::Action;
use crate::endgame::Verdict;
use crate::frozen::Value;
use crate::placement::{Solver, is_placement};
use crate::rules::{MOST_ACTIONS, PerfectPlay, Proteus};
use crate::solution::Solution;
use crate::state::State;

/// The memory in bytes of the table for each seat in the placement.
const MEMORY: usize = 1 << 30;

/// The positions that one look at a placement may visit: at first, at most, and the growth between. Looks repeat until one
/// placement holds.
const FIRST: u64 = 50_000;
const MOST: u64 = 10_000_000;
const GROWTH: u64 = 4;

type Ends = Box<dyn Fn(&State, usize) -> Verdict + Send>;

/// An opened solution, and what its searches in the placement know.
pub(crate) struct Perfect {
    solution: &'static Solution,
    placement: Mutex<[Solver<'static, Ends>; 2]>,
}

/// The solutions that are open, by their options and files. They stay open until the end of the process.
static OPEN: Mutex<BTreeMap<(String, PathBuf), &'static Perfect>> = Mutex::new(BTreeMap::new());

impl Perfect {
    /// The solution in a file, which is opened once.
    ///
    /// # Errors
    /// As [`Solution::open`].
    pub(crate) fn open(game: &Proteus, options: &str, file: &Path) -> Result<&'static Self, Text> {
        let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
        let name = (options.to_owned(), file.to_owned());
        if let Some(known) = open.get(&name) {
            return Ok(known);
        }
        let solution: &'static Solution = Box::leak(Box::new(Solution::open(game, options, file)?));
        let solver = |seat| {
            let ends: Ends = Box::new(|state: &State, class| solution.ends().verdict(state, class));
            Solver::new(*game, ends, seat, MEMORY, |_| {})
        };
        let perfect: &'static Self = Box::leak(Box::new(Self { solution, placement: Mutex::new([0, 1].map(solver)) }));
        open.insert(name, perfect);
        Ok(perfect)
    }

    /// The rank of a position of the movement phase for the seat that has led to it.
    fn rank(&self, game: &Proteus, seat: Seat, after: &State) -> i32 {
        if let Some(end) = after.end {
            return rank(seat, winners(end.winner), 0);
        }
        let (winner, plies) = match self.solution.value(game, after) {
            Value::Win(plies) => (after.seat, plies),
            Value::Loss(plies) => (1 - after.seat, plies),
            Value::Open => return DRAWN,
        };
        // The count of actions may end the game first (rules 18).
        let left = MOST_ACTIONS - after.count.unwrap_or_default();
        if u16::from(plies) > left { DRAWN } else { rank(seat, SeatSet::one(winner), plies) }
    }

    /// The ranks of positions after a placement: a win that is found soon, or the positions that the other seat is known
    /// not to win. `None` if the work is cancelled.
    fn ranks_of_placements(&self, game: &Proteus, seat: Seat, after: &[State], stop: &CancelToken) -> Option<Vec<i32>> {
        let mut solvers = self.placement.lock().unwrap_or_else(PoisonError::into_inner);
        let [own, other] = [seat, 1 - seat].map(usize::from);
        let wins = |state: &State| solvers[own].can_win_within(state, FIRST, stop) == Some(true);
        if let Some(place) = after.iter().position(wins) {
            return Some((0..after.len()).map(|other| if other == place { WON } else { LOST }).collect());
        }
        let held: Vec<bool> = after.iter().map(|state| game.openings.is_some_and(|known| known.holds(state))).collect();
        if held.contains(&true) {
            return Some(held.into_iter().map(|held| if held { DRAWN } else { LOST }).collect());
        }
        let mut positions = FIRST;
        loop {
            let mut known = Vec::with_capacity(after.len());
            for state in after {
                if stop.is_cancelled() {
                    return None;
                }
                known.push(solvers[other].can_win_within(state, positions, stop));
            }
            if known.contains(&Some(false)) || known.iter().all(Option::is_some) {
                return Some(known.into_iter().map(|wins| if wins == Some(false) { DRAWN } else { LOST }).collect());
            }
            positions = MOST.min(positions * GROWTH);
        }
    }
}

impl PerfectPlay for Perfect {
    fn best(&self, game: &Proteus, state: &State, actions: Vec<Action>, stop: &CancelToken) -> Vec<Action> {
        let after = |&action: &Action| {
            let mut after = state.clone();
            game.play_unchecked(&mut after, action);
            after
        };
        let known = |after: &State| game.solved(after).map(|winners| rank(state.seat, winners, 0));
        let after: Vec<State> = actions.iter().map(after).collect();
        let ranks = if let Some(ranks) = after.iter().map(known).collect::<Option<Vec<_>>>() {
            Some(ranks)
        } else if is_placement(state) {
            self.ranks_of_placements(game, state.seat, &after, stop)
        } else {
            Some(after.iter().map(|after| self.rank(game, state.seat, after)).collect())
        };
        let Some(ranks) = ranks else { return actions };
        let best = ranks.iter().max().copied();
        actions.into_iter().zip(ranks).filter(|&(_, rank)| Some(rank) == best).map(|(action, _)| action).collect()
    }
}

/// The ranks of results: an earlier win and a later loss are better.
const WON: i32 = 1_000;
const DRAWN: i32 = 0;
const LOST: i32 = -WON;

fn rank(seat: Seat, winners: SeatSet, plies: u8) -> i32 {
    match winners.iter().next() {
        None => DRAWN,
        Some(winner) if winner == seat => WON - i32::from(plies),
        Some(_) => LOST + i32::from(plies),
    }
}

fn winners(winner: Option<Seat>) -> SeatSet {
    winner.map_or(SeatSet::EMPTY, SeatSet::one)
}

impl Debug for Perfect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Perfect").finish_non_exhaustive()
    }
}
