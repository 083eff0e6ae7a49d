//! The actions of a game and their ids, as a lazy sequence of tokens.

use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PySlice, PyTuple};
use tavola_core::quote::quoted;
use tavola_registry::AnyGame;

use crate::arguments::{Int, type_name};
use crate::classes::{Game, Reduced};

/// The actions of a game by id: a lazy sequence of tokens, the same in every state.
///
/// An id is a number from 0 to `Game.action_count` minus 1. Chance outcomes have no id.
///
/// >>> actions = load("potlatch").actions
/// >>> len(actions), actions[0], actions.index("Pw"), "Pup" in actions
/// (12, 'Ce', 11, False)
#[pyclass(frozen, sequence, module = "tavola._core")]
pub(crate) struct Actions(pub(crate) Game);

impl Actions {
    fn game(&self) -> &AnyGame {
        &self.0.0
    }

    fn token(&self, id: usize) -> String {
        self.game().token(id).expect("every id has an action")
    }

    fn tokens(&self) -> Vec<String> {
        (0..self.__len__()).map(|id| self.token(id)).collect()
    }

    fn find(&self, token: &str) -> Option<usize> {
        self.game().index(token)
    }
}

/// The range of ids of a game, for messages.
pub(crate) fn range_of_ids(game: &AnyGame) -> String {
    format!("action ids of {} are 0 to {}", game.info().name, game.action_count() - 1)
}

/// The id that an argument gives.
///
/// # Errors
/// `IndexError` for a number without an action, `TypeError` for anything else.
pub(crate) fn id_of(game: &AnyGame, id: &Bound<'_, PyAny>) -> PyResult<usize> {
    let wrong = || PyTypeError::new_err(format!("{}, not {}; play takes tokens", range_of_ids(game), type_name(id)));
    let number = id.extract::<Int>().map_err(|_| wrong())?;
    number.below(game.action_count(), "id").map_err(|_| {
        let number = id.str().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        PyIndexError::new_err(format!("{}, not {number}", range_of_ids(game)))
    })
}

#[pymethods]
impl Actions {
    fn __len__(&self) -> usize {
        self.game().action_count()
    }

    fn __contains__(&self, token: &Bound<'_, PyAny>) -> bool {
        token.extract::<String>().is_ok_and(|token| self.find(&token).is_some())
    }

    fn __getitem__<'py>(&self, py: Python<'py>, id: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.__len__() as isize;
        if let Ok(slice) = id.cast::<PySlice>() {
            let slice = slice.indices(length)?;
            let ids = (0..slice.slicelength as isize).map(|step| slice.start + step * slice.step);
            return Ok(PyTuple::new(py, ids.map(|id| self.token(id as usize)))?.into_any());
        }
        let number: isize = id.extract()?;
        let from_front = if number < 0 { number + length } else { number };
        if !(0..length).contains(&from_front) {
            return Err(PyIndexError::new_err(format!("{}, not {number}", range_of_ids(self.game()))));
        }
        Ok(self.token(from_front as usize).into_pyobject(py)?.into_any())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        PyTuple::new(py, self.tokens())?.try_iter()
    }

    /// Return the id of a token.
    ///
    /// Args:
    ///     token: The token of an action of a seat.
    ///     start: The first id to search, as in `list.index`.
    ///     stop: The end of the search, as in `list.index`.
    ///
    /// Raises:
    ///     ValueError: If no action has this token; lists examples.
    #[pyo3(signature = (token, start=0, stop=None))]
    fn index(&self, token: &str, start: isize, stop: Option<isize>) -> PyResult<usize> {
        let length = self.__len__() as isize;
        let bound = |id: isize| if id < 0 { (id + length).max(0) } else { id };
        let range = bound(start)..bound(stop.unwrap_or(length));
        let found = self.find(token);
        found.filter(|&id| range.contains(&(id as isize))).ok_or_else(|| {
            let (token, name) = (quoted(token), self.game().info().name);
            PyValueError::new_err(match found {
                Some(id) => format!("{token} has the id {id}, which is not in the searched range"),
                None if token.starts_with("\"*") => {
                    format!("{token} is not an action of a seat of {name}; chance outcomes have no ids")
                }
                None => format!(
                    "{token} is not an action of {name}; its {length} actions are {} to {}",
                    self.token(0),
                    self.token(length as usize - 1),
                ),
            })
        })
    }

    /// Return 1 if an action has this token, else 0.
    fn count(&self, token: &str) -> usize {
        self.find(token).is_some().into()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        if let Ok(other) = other.cast::<Self>() {
            return self.0.same(&other.get().0) || self.tokens() == other.get().tokens();
        }
        other.extract::<Vec<String>>().is_ok_and(|tokens| tokens == self.tokens())
    }

    fn __hash__(&self, py: Python<'_>) -> PyResult<isize> {
        PyTuple::new(py, self.tokens())?.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<Actions of {}: {} tokens>", self.0.text(py)?, self.__len__()))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Game, &'static str)>> {
        Ok((py.import("builtins")?.getattr("getattr")?, (self.0.clone(), "actions")))
    }
}
