//! The Python binding: names and conversions only. Its documentation is `python/tavola/_core.pyi`.

// The macros of the binding take their arguments by value.
#![allow(clippy::needless_pass_by_value)]

mod ahead;
mod deed;
mod errors;
mod fitting;
mod game;
mod heavy;
mod legal;
mod natural;
mod results;
mod sight;
mod state;
mod stop;
mod text;
mod untracked;

use pyo3::prelude::*;

/// Views are made of thousands of small things, and given back in another thread than the one that made them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The compiled core of Tavola.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::deed::Deed;
    #[pymodule_export]
    use super::fitting::{fit, loss};
    #[pymodule_export]
    use super::game::{Game, games, load, restore_game};
    #[pymodule_export]
    use super::heavy::{Searcher, perft, playouts, prove, search};
    #[pymodule_export]
    use super::legal::LegalActions;
    #[pymodule_export]
    use super::results::{Analysis, Line, Outcome, Playouts, Proof};
    #[pymodule_export]
    use super::sight::Sight;
    #[pymodule_export]
    use super::state::{State, restore_state};
    #[pymodule_export]
    use super::stop::Stop;
    #[pymodule_export]
    use super::text::{describe, records_from_text, records_to_text, say};

    #[pymodule_export]
    const CHANCE: i8 = -1;
    #[pymodule_export]
    const MOST_THREADS: usize = super::heavy::MOST_THREADS.get();
}
