//! The judge of lessons and puzzles, and hints. The server uses it by Python, the browser by WebAssembly.

#![forbid(unsafe_code)]

mod attempt;
mod hint;
mod lesson;

pub use attempt::{Attempt, Fault, Played, Status, attempt, start};
pub use hint::{Hint, HintReason, hint};
pub use lesson::{Lesson, Words};
