//! Perfect play: in the movement phase by the file, and in the placement by a search down to its ends.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tavola_core::{CancelToken, Game, PerfectResult, Seat, SeatSet, Text};

use crate::actions::Action;
use crate::endgame::Verdict;
use crate::frozen::Value;
use crate::placement::Solver;
use crate::rules::{MOST_ACTIONS, PerfectPlay, Proteus};
use crate::solution::Solution;
use crate::solved::Reply;
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

    /// For each position after a placement whether it is among the best. These are a win that is known or found soon, or else
    /// those that the other seat is known not to win. All are if the work is cancelled.
    fn are_best(&self, game: &Proteus, seat: Seat, after: &[State], stop: &CancelToken) -> Vec<bool> {
        let known: Vec<_> = after.iter().map(|state| game.openings?.reply(state)).collect();
        let are = |best| known.iter().map(|&reply| reply == Some(best)).collect();
        if known.contains(&Some(Reply::Wins)) {
            return are(Reply::Wins);
        }
        let mut solvers = self.placement.lock().unwrap_or_else(PoisonError::into_inner);
        let [own, other] = [seat, 1 - seat].map(usize::from);
        let wins = |state: &State| solvers[own].can_win_within(state, FIRST, stop) == Some(true);
        if let Some(place) = after.iter().position(wins) {
            return (0..after.len()).map(|other| other == place).collect();
        }
        if known.contains(&Some(Reply::Holds)) {
            return are(Reply::Holds);
        }
        let mut positions = FIRST;
        loop {
            let mut known = Vec::with_capacity(after.len());
            for state in after {
                if stop.is_cancelled() {
                    return vec![true; after.len()];
                }
                known.push(solvers[other].can_win_within(state, positions, stop));
            }
            // If the other seat wins all of them, they are equally good.
            let is_held = known.contains(&Some(false));
            if is_held || known.iter().all(Option::is_some) {
                return known.into_iter().map(|wins| !is_held || wins == Some(false)).collect();
            }
            positions = MOST.min(positions * GROWTH);
        }
    }
}

impl PerfectPlay for Perfect {
    fn result(&self, game: &Proteus, state: &State) -> Option<PerfectResult> {
        // The count of actions may end the game first (rules 18).
        let left = MOST_ACTIONS - state.count?;
        let (winner, plies) = match self.solution.value(game, state) {
            Value::Win(plies) => (Some(state.seat), plies),
            Value::Loss(plies) => (Some(1 - state.seat), plies),
            Value::Open => (None, 0),
        };
        Some(match winner.filter(|_| u16::from(plies) <= left) {
            Some(winner) => PerfectResult { winners: SeatSet::one(winner), actions: plies },
            None => PerfectResult { winners: SeatSet::EMPTY, actions: 0 },
        })
    }

    fn best_placements(&self, game: &Proteus, state: &State, actions: Vec<Action>, stop: &CancelToken) -> Vec<Action> {
        let after = |&action: &Action| {
            let mut after = state.clone();
            game.play_unchecked(&mut after, action);
            after
        };
        let after: Vec<State> = actions.iter().map(after).collect();
        let best = self.are_best(game, state.seat, &after, stop);
        actions.into_iter().zip(best).filter(|&(_, is_best)| is_best).map(|(action, _)| action).collect()
    }
}

impl Debug for Perfect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Perfect").finish_non_exhaustive()
    }
}
