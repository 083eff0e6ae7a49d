//! The judge of lessons and puzzles, hints, "Why not this?", and the review of games. The server uses it by Python, the
//! browser by WebAssembly.

#![forbid(unsafe_code)]

mod attempt;
mod hint;
mod lesson;
mod reason;
mod review;
mod why_not;

pub use attempt::{Attempt, Fault, Played, Status, attempt, start};
pub use hint::{Hint, hint};
pub use lesson::{Lesson, Words};
pub use reason::{Code, Reason};
pub use review::{
    Balance, Evaluator, ForcedResult, Grade, JudgedAction, PROOF_PLIES, Summary, Trees, Value, ValuedLine,
    mean_of_outcomes, winners,
};
pub use why_not::{DescribedAction, WhyNot, why_not};
