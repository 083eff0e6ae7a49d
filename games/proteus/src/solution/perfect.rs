//! Results with perfect play: of the movement phase from the file, and of the placement by a search down to its ends.

use std::collections::BTreeMap;
use std::fmt::{self, Debug, Formatter};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use tavola_core::{SeatSet, Solved, Text};

use crate::endgame::Verdict;
use crate::frozen::Value;
use crate::placement::{Solver, is_placement};
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::solution::Solution;
use crate::state::State;

/// The memory in bytes of the table for each seat in the placement.
const MEMORY: usize = 1 << 30;

/// The most positions that the search for a win of a seat in the placement may visit.
const POSITIONS: u64 = 20_000_000;

type Ends<'a> = Box<dyn Fn(&State, usize) -> Verdict + Send + 'a>;

/// An opened solution, and what its searches in the placement know.
pub(crate) struct Perfect {
    solution: &'static Solution,
    placement: Mutex<[Solver<'static, Ends<'static>>; 2]>,
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
            let ends: Ends<'static> = Box::new(|state: &State, class| solution.ends().verdict(state, class));
            Solver::new(*game, ends, seat, MEMORY, |_| {})
        };
        let perfect: &'static Self = Box::leak(Box::new(Self { solution, placement: Mutex::new([0, 1].map(solver)) }));
        open.insert(name, perfect);
        Ok(perfect)
    }

    /// The result of a position; `None` if the placement takes too long to decide.
    pub(crate) fn solved(&self, game: &Proteus, state: &State) -> Option<Solved> {
        if let Some(end) = state.end {
            return Some(Solved { winners: winners(end.winner), plies: Some(0) });
        }
        if is_placement(state) {
            let mut solvers = self.placement.lock().unwrap_or_else(PoisonError::into_inner);
            for (seat, solver) in (0..).zip(solvers.iter_mut()) {
                if solver.can_win_within(state, POSITIONS)? {
                    return Some(Solved { winners: SeatSet::one(seat), plies: None });
                }
            }
            return Some(Solved { winners: SeatSet::EMPTY, plies: None });
        }
        let (winner, plies) = match self.solution.value(game, state) {
            Value::Win(plies) => (Some(state.seat), Some(plies)),
            Value::Loss(plies) => (Some(1 - state.seat), Some(plies)),
            Value::Open => (None, None),
        };
        // The count of actions may end the game first (rules 18).
        let left = MOST_ACTIONS - state.count.unwrap_or_default();
        let plies = plies.filter(|&plies| u16::from(plies) <= left);
        Some(Solved { winners: winners(winner.filter(|_| plies.is_some())), plies: plies.map(Into::into) })
    }
}

fn winners(winner: Option<u8>) -> SeatSet {
    winner.map_or(SeatSet::EMPTY, SeatSet::one)
}

impl Debug for Perfect {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Perfect").finish_non_exhaustive()
    }
}
