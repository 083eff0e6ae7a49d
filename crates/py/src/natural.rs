//! Whole numbers from Python, which knows no least and no largest one.

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;

/// A whole number as it was given: in range, or its text.
pub(crate) struct Given(Result<u64, String>);

impl Given {
    /// A number of our own.
    pub(crate) const fn is(number: u64) -> Self {
        Self(Ok(number))
    }
}

impl<'py> FromPyObject<'_, 'py> for Given {
    type Error = PyErr;

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match given.extract() {
            Ok(number) => Ok(Self::is(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                Ok(Self(Err(given.str()?.extract()?)))
            }
            Err(error) => Err(error),
        }
    }
}

/// A parameter that cannot be less than `least`, nor more than its type holds.
pub(crate) fn natural<T: TryFrom<u64>>(name: &str, given: Given, least: u64) -> PyResult<T> {
    let number = given.0.and_then(|number| {
        let fits = T::try_from(number).ok().filter(|_| number >= least);
        fits.ok_or_else(|| number.to_string())
    });
    number.map_err(|text| {
        let small = text.starts_with('-') || text.parse().is_ok_and(|number: u64| number < least);
        let range = if small { format!("{least} or more") } else { format!("below 2**{}", 8 * size_of::<T>()) };
        PyValueError::new_err(format!("{name} must be {range}, not {text}"))
    })
}
