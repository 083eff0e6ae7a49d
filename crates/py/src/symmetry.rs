//! The symmetries of a game: permutations of cells, planes and action ids.

use numpy::PyArray1;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tavola_core::observe;

use crate::actions::range_of_ids;
use crate::classes::{Game, Reduced, State};
use crate::gc::Untracked;
use crate::observation::layout;

/// A symmetry of a game: a rotation or reflection that the rules do not notice.
///
/// The arrays say where values come from: the new value at `i` is the old value at `array[i]`.
///
/// >>> state = load("potlatch").start()
/// >>> turned = state.game.symmetries[1]
/// >>> turned.name, state.game.actions[turned.action(state.game.actions.index("Pe"))]
/// ('rotate', 'Pse')
/// >>> (turned.policy(state.mask()) == turned.state(state).mask()).all()
/// np.True_
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Symmetry {
    pub(crate) game: Game,
    pub(crate) number: usize,
}

impl Symmetry {
    fn symmetry(&self) -> &(observe::Symmetry, Vec<usize>) {
        &self.game.0.space().symmetries[self.number]
    }
}

/// A permutation as an array of indices.
fn indices<'py>(py: Python<'py>, permutation: &[u32]) -> Bound<'py, PyArray1<i64>> {
    PyArray1::from_iter(py, permutation.iter().map(|&from| i64::from(from)))
}

/// The values of an array whose last dimension has this length, taken in the order of a permutation.
fn permuted<'py>(array: &Bound<'py, PyAny>, permutation: &[u32]) -> PyResult<Bound<'py, PyAny>> {
    array.call_method1("take", (indices(array.py(), permutation), -1))
}

/// An object as an array, and its shape.
fn array<'py>(values: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Vec<usize>)> {
    let array = values.py().import("numpy")?.call_method1("asarray", (values,))?;
    let shape = array.getattr("shape")?.extract()?;
    Ok((array, shape))
}

#[pymethods]
impl Symmetry {
    /// The game.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// A short name: "identity", or generators in order, such as "rotate^2 reflect".
    #[getter]
    fn name(&self) -> &str {
        &self.symmetry().0.name
    }

    /// For each cell, row by row, the cell that its values come from.
    ///
    /// An array of int64 with shape (rows * columns,).
    #[getter]
    fn cells<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        indices(py, &self.symmetry().0.cells)
    }

    /// For each plane the plane that its values come from: int64, shape (planes,).
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        indices(py, &self.symmetry().0.planes)
    }

    /// For each action id the id that its value comes from: int64, shape (action_count,).
    #[getter]
    fn actions<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i64>> {
        indices(py, &self.symmetry().0.actions)
    }

    /// Return the state after the symmetry.
    ///
    /// Args:
    ///     state: A state of the same game.
    ///
    /// Raises:
    ///     ValueError: If the state is of another game or other options.
    fn state(&self, state: &State) -> PyResult<Untracked<State>> {
        if !self.game.same(&state.game) {
            return Err(PyValueError::new_err("the state is of another game or has other options"));
        }
        let (_, generators) = self.symmetry();
        Ok(Untracked(State { game: self.game.clone(), state: state.state.mirrored(generators) }))
    }

    /// Return the id of an action after the symmetry.
    ///
    /// Args:
    ///     action_id: An action id.
    ///
    /// Raises:
    ///     IndexError: If no action has this id.
    fn action(&self, action_id: usize) -> PyResult<usize> {
        let place = self.symmetry().0.actions.iter().position(|&from| from as usize == action_id);
        place.ok_or_else(|| PyIndexError::new_err(format!("{}, not {action_id}", range_of_ids(&self.game.0))))
    }

    /// Return observations after the symmetry.
    ///
    /// Args:
    ///     values: An observation, or several with more dimensions in front.
    ///     layout: The layout of the observations, "planes" or "flat".
    ///
    /// Returns:
    ///     A new NumPy array of the same shape and data type.
    ///
    /// Raises:
    ///     ValueError: If the last dimensions are not those of the layout.
    #[pyo3(signature = (values, layout="planes"))]
    fn observation<'py>(&self, values: &Bound<'py, PyAny>, layout: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = values.py();
        let (space, layout) = (self.game.0.space(), self::layout(layout)?);
        let wanted = match layout {
            observe::Layout::Planes => vec![space.planes.len(), space.board.0, space.board.1],
            observe::Layout::Flat => vec![space.flat_len()],
        };
        let (array, shape) = array(values)?;
        if !shape.ends_with(&wanted) {
            return Err(PyValueError::new_err(format!("the last dimensions must be {wanted:?}, not {shape:?}")));
        }
        let mut merged = shape[..shape.len() - wanted.len()].to_vec();
        merged.push(space.len(layout));
        let array = array.call_method1("reshape", (PyTuple::new(py, merged)?,))?;
        let permutation = space.permutation(&self.symmetry().0, layout);
        permuted(&array, &permutation)?.call_method1("reshape", (PyTuple::new(py, shape)?,))
    }

    /// Return values by action id after the symmetry: a mask, a policy or visit counts.
    ///
    /// Args:
    ///     values: One value for each action id, or several such rows.
    ///
    /// Returns:
    ///     A new NumPy array of the same shape and data type.
    ///
    /// Raises:
    ///     ValueError: If the last dimension is not `action_count`.
    fn policy<'py>(&self, values: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let (array, shape) = array(values)?;
        let count = self.game.0.action_count();
        if shape.last() != Some(&count) {
            return Err(PyValueError::new_err(format!("the last dimension must be {count}, not {shape:?}")));
        }
        permuted(&array, &self.symmetry().0.actions)
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game.same(&other.game) && self.number == other.number
    }

    fn __hash__(&self) -> u64 {
        self.game.hash().wrapping_add(self.number as u64)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Symmetry of {}: {}>", self.game.text(py)?, self.name()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Game, usize)>> {
        let restore = py.import("tavola._core")?.getattr("_restore_symmetry")?;
        Ok((restore, (self.game.clone(), self.number)))
    }
}

/// Restore a pickled symmetry.
///
/// Args:
///     game: The game.
///     number: The index in `Game.symmetries`.
///
/// Raises:
///     ValueError: If the game has no symmetry with this index.
#[pyfunction]
#[pyo3(name = "_restore_symmetry")]
pub(crate) fn restore_symmetry(game: &Game, number: usize) -> PyResult<Symmetry> {
    let count = game.0.space().symmetries.len();
    if number >= count {
        return Err(PyValueError::new_err(format!("number must be 0 to {}, not {number}", count - 1)));
    }
    Ok(Symmetry { game: game.clone(), number })
}
