//! The legal actions of a state, as a lazy sequence of tokens.

use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PySlice, PyTuple};
use tavola_core::quote::shortened;
use tavola_registry::AnyGame;

/// The tokens of legal actions: a lazy sequence, equal to any sequence of the same tokens.
///
/// >>> actions = load("potlatch").start().legal_actions
/// >>> len(actions), actions[0], "Pw" in actions
/// (5, 'Pne', True)
#[pyclass(frozen, sequence, module = "tavola._core")]
pub(crate) struct LegalActions {
    pub(crate) game: AnyGame,
    /// The numbers of the actions, ascending.
    pub(crate) indices: Vec<usize>,
}

impl LegalActions {
    fn token(&self, place: usize) -> String {
        self.game.token(self.indices[place]).expect("the number of a legal action")
    }

    fn find(&self, token: &str) -> Option<usize> {
        self.indices.binary_search(&self.game.index(token)?).ok()
    }

    fn tokens(&self) -> Vec<String> {
        (0..self.indices.len()).map(|place| self.token(place)).collect()
    }
}

#[pymethods]
impl LegalActions {
    fn __len__(&self) -> usize {
        self.indices.len()
    }

    fn __contains__(&self, token: &Bound<'_, PyAny>) -> bool {
        token.extract::<String>().is_ok_and(|token| self.find(&token).is_some())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, place: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.indices.len() as isize;
        if let Ok(slice) = place.cast::<PySlice>() {
            let slice = slice.indices(length)?;
            let places = (0..slice.slicelength as isize).map(|step| slice.start + step * slice.step);
            let tokens: Vec<_> = places.map(|place| self.token(place as usize)).collect();
            return Ok(PyTuple::new(py, tokens)?.into_any());
        }
        let place: isize = place.extract()?;
        let from_front = if place < 0 { place + length } else { place };
        if !(0..length).contains(&from_front) {
            return Err(PyIndexError::new_err(format!("there are {length} legal actions, none at {place}")));
        }
        Ok(self.token(from_front as usize).into_pyobject(py)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.tokens())?.try_iter()
    }

    /// Return the index of a token.
    ///
    /// Args:
    ///     token: The token of an action.
    ///     start: The first index to search, as in `list.index`.
    ///     stop: The end of the search, as in `list.index`.
    ///
    /// Raises:
    ///     ValueError: If the token is not there.
    #[pyo3(signature = (token, start=0, stop=None))]
    fn index(&self, token: &str, start: isize, stop: Option<isize>) -> PyResult<usize> {
        let length = self.indices.len() as isize;
        let bound = |place: isize| if place < 0 { (place + length).max(0) } else { place };
        let range = bound(start)..bound(stop.unwrap_or(length));
        self.find(token)
            .filter(|&place| range.contains(&(place as isize)))
            .ok_or_else(|| PyValueError::new_err(format!("{:?} is not among the legal actions", shortened(token))))
    }

    /// Return 1 if the token is in the sequence, else 0.
    fn count(&self, token: &str) -> usize {
        self.find(token).is_some().into()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        if let Ok(other) = other.cast::<Self>() {
            return self.tokens() == other.get().tokens();
        }
        other.extract::<Vec<String>>().is_ok_and(|tokens| tokens == self.tokens())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, self.tokens())?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(PyTuple::new(py, self.tokens())?.repr()?.to_string())
    }
}
