//! The work of solving a game.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::cancel::CancelToken;
use crate::text::Text;

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
