//! Return values of long calls, and outcomes.

use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyTuple, PyType};
use tavola_core::{MAX_SEATS, SeatSet};

use crate::arguments::Int;
use crate::classes::Reduced;

/// The end of a game: who won, and why.
///
/// Args:
///     winners: The seats that won; empty for a draw.
///     reason: A code of the game's own, such as "stacks".
///
/// >>> import tavola
/// >>> tavola.Outcome((1,), "stacks").winners
/// (1,)
#[pyclass(frozen, get_all, eq, hash, module = "tavola._core")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Outcome {
    /// The seats that won; empty for a draw.
    pub(crate) winners: Winners,
    /// A code of the game's own, such as "stacks".
    pub(crate) reason: String,
}

impl Outcome {
    pub(crate) fn of(outcome: &tavola_core::Outcome) -> Self {
        Self { winners: Winners(outcome.winners.iter().collect()), reason: outcome.reason.to_owned() }
    }

    /// The outcome without its reason, for a number of seats.
    fn checked(&self, seats: usize) -> PyResult<tavola_core::Outcome> {
        if let Some(winner) = self.winners.0.iter().find(|&&winner| usize::from(winner) >= seats) {
            return Err(PyValueError::new_err(format!("a winner must be 0 to {}, not {winner}", seats - 1)));
        }
        let winners = self.winners.0.iter().copied().fold(SeatSet::EMPTY, SeatSet::with);
        Ok(tavola_core::Outcome { winners, reason: "" })
    }
}

/// The number of seats of a game.
fn seats_of(seats: Int) -> PyResult<usize> {
    let seats = seats.below(MAX_SEATS + 1, "seats")?;
    Some(seats).filter(|&seats| seats > 1).ok_or_else(|| PyValueError::new_err("a game has 2 seats or more"))
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

    /// Return the end of a game that one seat has lost and all others have won.
    ///
    /// Args:
    ///     loser: The seat that resigned, ran out of time or failed.
    ///     seats: The number of seats of the game.
    ///     reason: A code, such as "resigned".
    ///
    /// Raises:
    ///     ValueError: If there is no such seat, or a game cannot have as many.
    ///
    /// >>> import tavola
    /// >>> tavola.Outcome.lost_by(0, 2, "time")
    /// Outcome(winners=(1,), reason="time")
    #[classmethod]
    fn lost_by(_class: &Bound<'_, PyType>, loser: Int, seats: Int, reason: String) -> PyResult<Self> {
        let seats = seats_of(seats)?;
        let winners = tavola_core::Outcome::lost_by(loser.below(seats, "loser")? as u8, seats, "").winners;
        Ok(Self { winners: Winners(winners.iter().collect()), reason })
    }

    /// Return the share of the win of each seat, from 0 to 1 with sum 1.
    ///
    /// The winners share it equally; in a draw all seats do.
    ///
    /// Args:
    ///     seats: The number of seats of the game.
    ///
    /// Raises:
    ///     ValueError: If a winner has no seat, or a game cannot have as many.
    ///
    /// >>> import tavola
    /// >>> tavola.Outcome((0,), "stacks").shares(2), tavola.Outcome((), "limit").shares(2)
    /// ((1.0, 0.0), (0.5, 0.5))
    fn shares<'py>(&self, py: Python<'py>, seats: Int) -> PyResult<Bound<'py, PyTuple>> {
        let seats = seats_of(seats)?;
        PyTuple::new(py, self.checked(seats)?.shares(seats))
    }

    /// Return one number per seat, from -1 to 1 with sum 0.
    ///
    /// Of n seats, a seat that has not won gets -1 / (n - 1), and the winners share the rest. In a
    /// draw all seats get 0.
    ///
    /// Args:
    ///     seats: The number of seats of the game.
    ///
    /// Raises:
    ///     ValueError: If a winner has no seat, or a game cannot have as many.
    ///
    /// >>> import tavola
    /// >>> tavola.Outcome((1, 2), "time").returns(3)
    /// (-0.5, 0.25, 0.25)
    fn returns<'py>(&self, py: Python<'py>, seats: Int) -> PyResult<Bound<'py, PyTuple>> {
        let seats = seats_of(seats)?;
        PyTuple::new(py, self.checked(seats)?.returns(seats))
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

/// An action and the result of its search.
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Line(pub(crate) tavola_registry::Line);

#[pymethods]
impl Line {
    /// The token of the action.
    #[getter]
    fn action(&self) -> &str {
        &self.0.action
    }

    /// The expected share of the game of each seat, from 0 to 1; the sum is 1.
    ///
    /// It is the mean over the visits, shrunk a little towards the mean of the position.
    #[getter]
    fn shares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.shares)
    }

    /// A 95 % interval of each share: the range of a search fifty times as long.
    ///
    /// It is (0, 1) without visits, and of width 0 for a proven result.
    #[getter]
    fn intervals<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.intervals)
    }

    /// The sampling error of each share alone, as the half-width of a 95 % interval.
    ///
    /// It is 0.5 without visits, and 0 for a proven result.
    #[getter]
    fn margins<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.margins)
    }

    /// The number of simulations that began with the action.
    #[getter]
    fn visits(&self) -> u32 {
        self.0.visits
    }

    /// The action and the best actions after it.
    #[getter]
    fn variation<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.0.variation)
    }

    /// Whether the result is proven; the shares are then exact.
    #[getter]
    fn proven(&self) -> bool {
        self.0.proven
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, LineParts>> {
        let line = self.0.clone();
        let parts = (line.action, line.shares, line.intervals, line.margins, line.visits, line.variation, line.proven);
        Ok((py.import("tavola._core")?.getattr("_restore_line")?, parts))
    }

    fn __repr__(&self) -> String {
        let shares: Vec<_> = self.0.shares.iter().map(|share| format!("{share:.3}")).collect();
        let proven = if self.0.proven { ", proven" } else { "" };
        format!("<Line {} {} visits={}{proven}>", self.0.action, shares.join("/"), self.0.visits)
    }
}

/// The parts of a pickled line.
type LineParts = (String, Vec<f64>, Vec<(f64, f64)>, Vec<f64>, u32, Vec<String>, bool);

/// Restore a pickled line.
#[pyfunction]
#[pyo3(name = "_restore_line", signature = (*parts))]
pub(crate) fn restore_line(parts: LineParts) -> Line {
    let (action, shares, intervals, margins, visits, variation, proven) = parts;
    Line(tavola_registry::Line { action, shares, intervals, margins, visits, variation, proven })
}

/// The parts of a pickled analysis: what it found, and its size.
type AnalysisParts = ((Option<String>, Vec<f64>, Vec<Py<Line>>, Vec<(usize, f32)>, usize), (u64, u64, u64, bool, f64));

/// Restore a pickled analysis.
#[pyfunction]
#[pyo3(name = "_restore_analysis", signature = (*parts))]
pub(crate) fn restore_analysis(parts: AnalysisParts) -> Analysis {
    let ((best, shares, lines, policy, action_count), (nodes, tree, bytes, full, seconds)) = parts;
    Analysis { best, shares, lines, policy, action_count, nodes, tree, bytes, full, seconds }
}

/// The result of a search.
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Analysis {
    best: Option<String>,
    shares: Vec<f64>,
    lines: Vec<Py<Line>>,
    policy: Vec<(usize, f32)>,
    action_count: usize,
    nodes: u64,
    tree: u64,
    bytes: u64,
    full: bool,
    seconds: f64,
}

impl Analysis {
    pub(crate) fn new(py: Python<'_>, result: tavola_registry::SearchResult, action_count: usize) -> PyResult<Self> {
        let lines = result.lines.into_iter().map(|line| Py::new(py, Line(line))).collect::<PyResult<_>>()?;
        Ok(Self {
            best: result.best,
            shares: result.shares,
            lines,
            policy: result.policy,
            action_count,
            nodes: result.nodes,
            tree: result.tree,
            bytes: result.bytes,
            full: result.full,
            seconds: result.seconds,
        })
    }

    /// The lines of the core.
    pub(crate) fn core_lines(&self) -> impl Iterator<Item = &tavola_registry::Line> + Clone {
        self.lines.iter().map(|line| &line.get().0)
    }
}

#[pymethods]
impl Analysis {
    /// The best action; None if no seat acts.
    #[getter]
    fn best(&self) -> Option<&str> {
        self.best.as_deref()
    }

    /// The expected share of the game of each seat, from 0 to 1; the sum is 1.
    ///
    /// It is the mean over the lines that are not lost, weighted by visits to the power of 3/2.
    /// The best line alone would be too optimistic. For alpha-beta it is the value of the best
    /// line.
    #[getter]
    fn shares<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.shares)
    }

    /// A line for every action, the best first.
    #[getter]
    fn lines<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.lines)
    }

    /// The policy as a training target: float32 (action_count,), 1 in sum.
    ///
    /// It is the share of the visits of each action id, without proven losses. A proven best
    /// action has all, as has the best action of alpha-beta. All are 0 where no seat acts.
    #[getter]
    fn policy<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        let mut policy = vec![0.0; self.action_count];
        self.policy.iter().for_each(|&(id, part)| policy[id] = part);
        PyArray1::from_vec(py, policy)
    }

    /// The value as a training target: `shares` as an array, float32 (seats,).
    #[getter]
    fn value<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f32>> {
        PyArray1::from_iter(py, self.shares.iter().map(|&share| share as f32))
    }

    /// The number of nodes that the search visited: one per simulation.
    #[getter]
    fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The number of nodes of the tree.
    #[getter]
    fn tree(&self) -> u64 {
        self.tree
    }

    /// The size of the tree in bytes.
    #[getter]
    fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Whether the tree reached its memory limit and stopped growing.
    #[getter]
    fn full(&self) -> bool {
        self.full
    }

    /// The duration in seconds.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, AnalysisParts>> {
        let lines = self.lines.iter().map(|line| line.clone_ref(py)).collect();
        let found = (self.best.clone(), self.shares.clone(), lines, self.policy.clone(), self.action_count);
        let size = (self.nodes, self.tree, self.bytes, self.full, self.seconds);
        Ok((py.import("tavola._core")?.getattr("_restore_analysis")?, (found, size)))
    }

    fn _repr_html_(slf: Bound<'_, Self>) -> PyResult<Bound<'_, PyAny>> {
        slf.py().import("tavola.analysis_table")?.getattr("analysis_table")?.call1((slf,))
    }

    fn __repr__(&self) -> String {
        let best = self.best.as_deref().unwrap_or("nothing");
        format!("<Analysis best={best} nodes={} seconds={:.2}>", self.nodes, self.seconds)
    }
}

/// A forced win, whatever the other seats and chance do.
#[pyclass(frozen, get_all, eq, hash, module = "tavola._core")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Proof {
    /// The seat that wins.
    pub(crate) winner: u8,
    /// The minimum number of actions that forces the win, chance outcomes included.
    pub(crate) plies: u32,
}

#[pymethods]
impl Proof {
    fn __repr__(&self) -> String {
        format!("<Proof winner={} plies={}>", self.winner, self.plies)
    }
}
