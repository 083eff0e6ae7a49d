//! The Python binding: names and conversions only.
//!
//! The doc comments of exported items are the docstrings of Python. `scripts/stub.py` copies them into
//! `python/tavola/_core.pyi`, which holds the type annotations.

// The macros of the binding take their arguments by value.
#![allow(clippy::needless_pass_by_value)]
// The doc comments are docstrings of Python, not Markdown of rustdoc.
#![allow(clippy::doc_markdown, clippy::doc_link_with_quotes)]

mod actions;
mod arguments;
mod arrays;
mod batch;
mod catalogue;
mod chance;
mod classes;
mod coach;
mod columns;
mod counters;
mod describe;
mod engine_spec;
mod errors;
mod evaluate;
mod events;
mod game;
mod gc;
mod interrupt;
mod legal_actions;
mod matches;
mod network;
mod observation;
mod picture;
mod playouts;
mod precompute;
mod python_game;
mod record;
mod replay;
mod results;
mod review;
mod search;
mod search_batch;
mod state;
mod symmetry;
mod tuning;
mod vector_env;
mod view;
mod worker_pool;

use pyo3::prelude::*;

/// Views consist of thousands of small allocations, and often another thread than the
/// allocating one frees them.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The compiled core. The package `tavola` exports its public names.
///
/// Names with an underscore and methods that return JSON serve the package's own server and
/// boards. The types of the JSON are those of `crates/core/src/view.rs`.
#[pymodule]
mod _core {
    #[pymodule_export]
    use super::actions::Actions;
    #[pymodule_export]
    use super::arguments::{game, processors, whole};
    #[pymodule_export]
    use super::classes::{Game, State};
    #[pymodule_export]
    use super::coach::{hint, lesson_attempt, lesson_start, why_not};
    #[pymodule_export]
    use super::columns::record_columns;
    #[pymodule_export]
    use super::counters::counters;
    #[pymodule_export]
    use super::describe::{archive, describe, levels, puzzles, say};
    #[pymodule_export]
    use super::engine_spec::{EngineSpec, engine_kinds};
    #[pymodule_export]
    use super::evaluate::LeafBatch;
    #[pymodule_export]
    use super::events::LazyEvents;
    #[pymodule_export]
    use super::game::{games, load, restore_game, restore_state};
    #[pymodule_export]
    use super::interrupt::Stop;
    #[pymodule_export]
    use super::legal_actions::LegalActions;
    #[pymodule_export]
    use super::matches::MatchCore;
    #[pymodule_export]
    use super::network::{Network, looks};
    #[pymodule_export]
    use super::observation::{ObservationSpace, Plane};
    #[pymodule_export]
    use super::playouts::{Playouts, perft, playouts};
    #[pymodule_export]
    use super::python_game::{register, registrations, unregister};
    #[pymodule_export]
    use super::record::{check_result, record_game, record_returns, record_to_text, records_from_text, shown_turns};
    #[pymodule_export]
    use super::replay::replay_keys;
    #[pymodule_export]
    use super::results::{Analysis, Line, Outcome, Proof, restore_analysis, restore_line};
    #[pymodule_export]
    use super::review::{KeptTrees, evaluate, judge, summarize};
    #[pymodule_export]
    use super::search::{Searcher, prove, prove_until, search};
    #[pymodule_export]
    use super::search_batch::search_batch;
    #[pymodule_export]
    use super::symmetry::{Symmetry, restore_symmetry};
    #[pymodule_export]
    use super::tuning::{fit, loss};
    #[pymodule_export]
    use super::vector_env::VectorCore;
    #[pymodule_export]
    use super::view::LazyView;

    #[pymodule_export]
    const CHANCE: i8 = -1;
    #[pymodule_export]
    const MAX_THREADS: usize = tavola_registry::MAX_THREADS.get();
    #[pymodule_export]
    const MAX_C_PUCT: f64 = *tavola_registry::C_PUCT_RANGE.end();
}
