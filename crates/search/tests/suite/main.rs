//! The tests of this crate's interface. One program: each would compile the searches of the toy games again.

mod alphabeta;
mod guided;
mod puct;
mod search;
mod searcher;
mod toys;
