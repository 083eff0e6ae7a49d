//! The tests of this crate's interface. One program: each would be linked with every game again.

mod puct;
mod search;
mod signature;
