//! Engine specifications: `tavola_registry::EngineSpec` for Python.

use std::collections::HashMap;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tavola_core::Text;

use crate::arguments::GameOrName;
use crate::classes::{Game, Reduced};
use crate::errors;
use crate::network::Network;
use crate::results::Analysis;

/// The specification of an engine for a game, such as `tree:nodes=5000,threads=1`.
///
/// Args:
///     text: The specification.
///     game: The game to play.
///     analysis: Whether it is the engine of an analysis: `classic`, `net` or `net:file=PATH`; None
///         for the best search of the game.
///
/// Raises:
///     EngineError: If the engine, a setting or a value is unknown; names all valid ones.
#[pyclass(frozen, name = "_EngineSpec", module = "tavola._core")]
pub(crate) struct EngineSpec {
    text: Option<String>,
    game: Game,
    analysis: bool,
    pub(crate) spec: tavola_registry::EngineSpec,
}

#[pymethods]
impl EngineSpec {
    #[new]
    #[pyo3(signature = (text, game, analysis=false))]
    fn new(text: &Bound<'_, PyAny>, game: GameOrName, analysis: bool) -> PyResult<Self> {
        let (py, GameOrName(game)) = (text.py(), game);
        let Ok(given) = text.extract::<Option<&str>>() else {
            return Err(errors::engine(py, text, &Text::new("engine.text")));
        };
        let spec = match (analysis, given) {
            (true, given) => tavola_registry::EngineSpec::parse_analysis(given, &game.0),
            (false, Some(given)) => tavola_registry::EngineSpec::parse(given, &game.0),
            (false, None) => return Err(errors::engine(py, text, &Text::new("engine.text"))),
        };
        let spec = spec.map_err(|error| errors::engine(py, text, &error.fault))?;
        Ok(Self { text: given.map(str::to_owned), game, analysis, spec })
    }

    /// The kind of the engine; for a level or `classic`, that of its engine.
    #[getter]
    fn kind(&self) -> &'static str {
        self.spec.kind.name()
    }

    /// The limit of time for an action, in seconds.
    #[getter]
    fn seconds(&self) -> Option<f64> {
        self.spec.limits.seconds
    }

    /// The limit of nodes for an action.
    #[getter]
    fn nodes(&self) -> Option<u64> {
        self.spec.limits.nodes
    }

    /// The limit of depth for an action.
    #[getter]
    fn depth(&self) -> Option<u32> {
        self.spec.limits.depth
    }

    /// The number of actions within which the engine sees every forced result.
    #[getter]
    fn lookahead(&self) -> u32 {
        self.spec.limits.lookahead
    }

    /// The blunder rate, 0 for none.
    #[getter]
    fn blunders(&self) -> f64 {
        self.spec.blunders
    }

    /// The seed of every game; None for a new one for each.
    #[getter]
    fn seed(&self) -> Option<u64> {
        self.spec.seed
    }

    /// The seconds that a program has to answer beyond its own limits.
    #[getter]
    fn patience(&self) -> Option<f64> {
        self.spec.patience
    }

    /// The options of an external engine.
    #[getter]
    fn options(&self) -> HashMap<String, String> {
        self.spec.options.iter().cloned().collect()
    }

    /// The program or class of an external engine.
    #[getter]
    fn command(&self) -> &str {
        &self.spec.command
    }

    /// The path of the file of the network or the solution; None without one.
    #[getter]
    fn file(&self) -> Option<&str> {
        self.spec.file.as_deref()
    }

    /// The game's own network that the engine plays with; None with another, or without one.
    #[getter]
    fn network(&self) -> Option<Network> {
        let network = Arc::clone(self.spec.own_network(&self.game.0)?);
        Some(Network { game: self.game.clone(), network })
    }

    /// Whether the engine discards its tree after every action.
    #[getter]
    fn forgets(&self) -> bool {
        self.spec.forgets()
    }

    /// Return the index of the line to play: the best, or another one by the blunder rate.
    ///
    /// Args:
    ///     analysis: The analysis of a position in which a seat acts.
    ///     random: Returns a random number from 0 to 1, such as `random.random`.
    fn pick(&self, analysis: &Analysis, random: &Bound<'_, PyAny>) -> PyResult<usize> {
        let mut drawn = Ok(0.0);
        let index = self.spec.pick(analysis.core_lines(), || {
            drawn = random.call0().and_then(|number| number.extract());
            *drawn.as_ref().unwrap_or(&0.0)
        });
        drawn.map(|_| index)
    }

    fn __str__(&self) -> String {
        self.spec.to_string()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Option<&str>, Game, bool)> {
        (py.get_type::<Self>().into_any(), (self.text.as_deref(), self.game.clone(), self.analysis))
    }
}

/// Return the kinds of engines by name, each with the names of its settings.
#[pyfunction]
#[pyo3(name = "_engine_kinds")]
pub(crate) fn engine_kinds(py: Python<'_>) -> PyResult<Vec<(&'static str, Bound<'_, PyTuple>)>> {
    tavola_registry::engine_kinds().map(|(name, settings)| Ok((name, PyTuple::new(py, settings)?))).collect()
}
