//! The observations of a Python game: its board, scores and supply as planes of numbers.

use tavola_core::Observe;

use super::rules::PythonGame;

impl Observe for PythonGame {}
