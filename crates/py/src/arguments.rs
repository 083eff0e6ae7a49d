//! Whole numbers as arguments from Python, whose integers have no bounds.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::thread;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBool;
use tavola_registry::MAX_THREADS;

use crate::catalogue;
use crate::classes::Game;

/// A whole number from Python: its value if it fits, otherwise its text for the error
/// message.
#[derive(Clone)]
pub(crate) struct Int(Result<u64, String>);

impl Int {
    /// A default value.
    pub(crate) const fn new(number: u64) -> Self {
        Self(Ok(number))
    }

    /// The value of a parameter that is at least `min` and at most what its type holds.
    pub(crate) fn at_least<T: TryFrom<u64>>(self, min: u64, parameter: &str) -> PyResult<T> {
        let number = self.0.and_then(|number| {
            let fits = T::try_from(number).ok().filter(|_| number >= min);
            fits.ok_or_else(|| number.to_string())
        });
        number.map_err(|text| {
            let small = text.starts_with('-') || text.parse().is_ok_and(|number: u64| number < min);
            let range = if small { format!("{min} or more") } else { format!("below 2**{}", 8 * size_of::<T>()) };
            PyValueError::new_err(format!("{parameter} must be {range}, not {text}"))
        })
    }
}

impl Int {
    /// The value of a parameter that is below `end`.
    pub(crate) fn below(self, end: usize, parameter: &str) -> PyResult<usize> {
        let number = self.0.and_then(|number| {
            let fits = usize::try_from(number).ok().filter(|&number| number < end);
            fits.ok_or_else(|| number.to_string())
        });
        number.map_err(|text| PyValueError::new_err(format!("{parameter} must be 0 to {}, not {text}", end - 1)))
    }
}

impl<'py> FromPyObject<'_, 'py> for Int {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if object.is_instance_of::<PyBool>() {
            return Err(PyTypeError::new_err("a whole number is expected, not bool"));
        }
        match object.extract() {
            Ok(number) => Ok(Self::new(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(object.py()) => {
                Ok(Self(Err(object.str()?.extract()?)))
            }
            Err(error) => Err(error),
        }
    }
}

/// The name of the type of an object.
pub(crate) fn type_name(object: &Bound<'_, PyAny>) -> String {
    object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string())
}

/// A seat of a game.
pub(crate) fn seat_of(game: &Game, seat: Option<Int>) -> PyResult<Option<u8>> {
    seat.map(|seat| seat.below(game.0.seats(), "seat").map(|seat| seat as u8)).transpose()
}

/// The token of an action.
pub(crate) struct Token<'a>(pub(crate) &'a str);

impl<'a, 'py> FromPyObject<'a, 'py> for Token<'a> {
    type Error = PyErr;

    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract().map(Self).map_err(|_| {
            let name = type_name(&object);
            PyTypeError::new_err(format!("a token is a str, not {name}; play_id takes the ids of actions"))
        })
    }
}

/// A game, or the name of one with its default options.
pub(crate) struct GameOrName(pub(crate) Game);

impl<'py> FromPyObject<'_, 'py> for GameOrName {
    type Error = PyErr;

    fn extract(object: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(game) = object.cast::<Game>() {
            return Ok(Self(game.get().clone()));
        }
        if let Ok(name) = object.extract::<&str>() {
            return catalogue::open(object.py(), name, &[]).map(|game| Self(Game(game)));
        }
        let name = type_name(&object);
        Err(PyTypeError::new_err(format!("a game is a tavola.Game or the name of one, not {name}")))
    }
}

/// The value of a parameter that is a number in a range.
pub(crate) fn in_range(number: f32, range: &RangeInclusive<f64>, parameter: &str) -> PyResult<f32> {
    if range.contains(&f64::from(number)) {
        return Ok(number);
    }
    let (least, most, given) = (range.start(), range.end(), text(number));
    Err(PyValueError::new_err(format!("{parameter} must be from {least} to {most}, not {given}")))
}

/// A float as Python writes it.
pub(crate) fn text(number: f32) -> String {
    match number {
        number if number.is_nan() => "nan".to_owned(),
        number if number.is_infinite() => if number > 0.0 { "inf" } else { "-inf" }.to_owned(),
        number => number.to_string(),
    }
}

/// Return the number of processors that this process may use (affinity, cgroup quota).
#[pyfunction(name = "_processors")]
pub(crate) fn processors() -> NonZeroUsize {
    thread::available_parallelism().unwrap_or(NonZeroUsize::MIN)
}

/// The value of the parameter `threads`; all cores if it is missing.
pub(crate) fn threads_or_all(threads: Option<Int>) -> PyResult<NonZeroUsize> {
    let all = || processors().min(MAX_THREADS);
    let threads: Option<usize> = threads.map(|threads| threads.at_least(1, "threads")).transpose()?;
    if let Some(threads) = threads.filter(|&threads| threads > MAX_THREADS.get()) {
        return Err(PyValueError::new_err(format!("threads must be at most {MAX_THREADS}, not {threads}")));
    }
    Ok(threads.and_then(NonZeroUsize::new).unwrap_or_else(all))
}

/// Return a whole number of any integer type as an int.
///
/// Args:
///     number: The number.
///     name: The name of the parameter, for the message of an error.
///     least: The smallest valid number.
///
/// Raises:
///     TypeError: If it is not a whole number.
///     ValueError: If it is smaller, or 2**64 or more.
#[pyfunction]
#[pyo3(name = "_whole", signature = (number, name, least=0))]
pub(crate) fn whole(number: &Bound<'_, PyAny>, name: &str, least: u64) -> PyResult<u64> {
    let wrong = |_| PyTypeError::new_err(format!("{name} must be a whole number, not {}", type_name(number)));
    number.extract::<Int>().map_err(wrong)?.at_least(least, name)
}

/// Return a game, or the game of a name with its default options.
#[pyfunction]
#[pyo3(name = "_game")]
pub(crate) fn game(game: GameOrName) -> Game {
    game.0
}
