//! Review of a played game: the value of its positions, its mistakes, and its luck. `docs/explanation/analysis.md`
//! explains the numbers.

mod forced;
mod judge;
mod value;

pub use forced::{ForcedResult, PROOF_PLIES, winners};
pub use judge::{Balance, Grade, JudgedAction, Summary};
pub use value::{Evaluator, Trees, Value, ValuedLine, mean_of_outcomes};
