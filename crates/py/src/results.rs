//! What calls give back: plain values.

use pyo3::prelude::*;
use pyo3::types::PyTuple;

#[pyclass(frozen, get_all, eq, hash, module = "tavola._core")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    pub(crate) winners: Winners,
    pub(crate) reason: String,
}

/// Seats, as a tuple in Python.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Winners(pub(crate) Vec<u8>);

impl<'py> IntoPyObject<'py> for Winners {
    type Target = PyTuple;
    type Output = Bound<'py, PyTuple>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Self::Output> {
        PyTuple::new(py, self.0.iter().map(|&seat| u32::from(seat)))
    }
}

#[pymethods]
impl Outcome {
    #[new]
    fn new(winners: Vec<u8>, reason: String) -> Self {
        Self { winners: Winners(winners), reason }
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str) {
        ("winners", "reason")
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("Outcome(winners={}, reason={:?})", self.winners.clone().into_pyobject(py)?.repr()?, self.reason))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (Winners, String)) {
        (py.get_type::<Self>().into_any(), (self.winners.clone(), self.reason.clone()))
    }
}

#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Line(pub(crate) tavola_registry::Line);

#[pymethods]
impl Line {
    #[getter]
    fn action(&self) -> &str {
        &self.0.action
    }

    #[getter]
    fn shares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.shares)
    }

    #[getter]
    fn intervals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.intervals)
    }

    #[getter]
    fn margins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.margins)
    }

    #[getter]
    fn visits(&self) -> u32 {
        self.0.visits
    }

    #[getter]
    fn variation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.variation)
    }

    #[getter]
    fn proven(&self) -> bool {
        self.0.proven
    }

    fn __repr__(&self) -> String {
        let shares: Vec<_> = self.0.shares.iter().map(|share| format!("{share:.3}")).collect();
        let proven = if self.0.proven { ", proven" } else { "" };
        format!("<Line {} {} visits={}{proven}>", self.0.action, shares.join("/"), self.0.visits)
    }
}

#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Analysis {
    best: Option<String>,
    shares: Vec<f64>,
    lines: Vec<Py<Line>>,
    nodes: u64,
    tree: u64,
    bytes: u64,
    full: bool,
    seconds: f64,
}

impl Analysis {
    pub(crate) fn new(py: Python<'_>, result: tavola_registry::SearchResult) -> PyResult<Self> {
        let lines = result.lines.into_iter().map(|line| Py::new(py, Line(line))).collect::<PyResult<_>>()?;
        Ok(Self {
            best: result.best,
            shares: result.shares,
            lines,
            nodes: result.nodes,
            tree: result.tree,
            bytes: result.bytes,
            full: result.full,
            seconds: result.seconds,
        })
    }
}

#[pymethods]
impl Analysis {
    #[getter]
    fn best(&self) -> Option<&str> {
        self.best.as_deref()
    }

    #[getter]
    fn shares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shares)
    }

    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.lines)
    }

    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    #[getter]
    fn tree(&self) -> u64 {
        self.tree
    }

    #[getter]
    fn bytes(&self) -> u64 {
        self.bytes
    }

    #[getter]
    fn full(&self) -> bool {
        self.full
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("nothing");
        format!("<Analysis best={best} nodes={} seconds={:.2}>", self.nodes, self.seconds)
    }
}

#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Playouts {
    total: tavola_core::Playouts,
    seconds: f64,
}

impl Playouts {
    pub(crate) fn new(total: tavola_core::Playouts, seconds: f64) -> Self {
        Self { total, seconds }
    }
}

#[pymethods]
impl Playouts {
    #[getter]
    fn count(&self) -> u64 {
        self.total.count
    }

    #[getter]
    fn actions(&self) -> u64 {
        self.total.actions
    }

    #[getter]
    fn mean_returns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let count = self.total.count.max(1) as f64;
        PyTuple::new(py, self.total.returns.iter().map(|sum| sum / count))
    }

    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn __repr__(&self) -> String {
        format!("<Playouts count={} actions={} seconds={:.2}>", self.total.count, self.total.actions, self.seconds)
    }
}

#[pyclass(frozen, get_all, eq, hash, module = "tavola._core")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Proof {
    pub(crate) winner: u8,
    pub(crate) plies: u32,
}

#[pymethods]
impl Proof {
    fn __repr__(&self) -> String {
        format!("<Proof winner={} plies={}>", self.winner, self.plies)
    }
}
