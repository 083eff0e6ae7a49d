//! The judge of lessons and puzzles, hints, and "Why not this?". The server uses it by Python, the browser by WebAssembly.

#![forbid(unsafe_code)]

mod attempt;
mod hint;
mod lesson;
mod reason;
mod why_not;

pub use attempt::{Attempt, Fault, Played, Status, attempt, start};
pub use hint::{Hint, hint};
pub use lesson::{Lesson, Words};
pub use reason::{Code, Reason};
pub use why_not::{Step, WhyNot, why_not};
