//! The results of a solved game, and the work of solving it.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::cancel::CancelToken;
use crate::game::SeatSet;
use crate::text::Text;

/// The result of a position with perfect play of all seats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Solved {
    /// The winners; none for a draw.
    pub winners: SeatSet,
    /// The number of actions to the end with the shortest win and the longest defence, where the solution tells.
    pub plies: Option<u32>,
}

/// The work of solving a game.
pub struct Solving<'a> {
    /// The file of the solution. A folder beside it has results that are needed during the work.
    pub file: &'a Path,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The memory of the machine in bytes, if known.
    pub memory: Option<u64>,
    /// Gets each completed step, as a text of the core.
    pub report: &'a mut (dyn FnMut(&Text) + Send),
    /// Ends the work early.
    pub stop: &'a CancelToken,
}
