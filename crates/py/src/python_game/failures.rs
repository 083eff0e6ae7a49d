//! Failures of rules written in Python: exceptions and broken contracts.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use super::fault::Fault;

/// The failures of one game: their number and the last one.
#[derive(Default)]
pub(crate) struct Failures {
    count: AtomicU64,
    last: Mutex<Option<Failure>>,
}

/// A failure: its description, its position, and the exception if there was one.
struct Failure {
    what: Fault,
    position: String,
    cause: Option<PyErr>,
}

impl Failures {
    /// The number of failures so far.
    pub(crate) fn count(&self) -> u64 {
        self.count.load(Ordering::Acquire)
    }

    /// Records a failure.
    pub(crate) fn add(&self, what: Fault, position: String, cause: Option<PyErr>) {
        let failure = Failure { what, position, cause };
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).replace(failure);
        self.count.fetch_add(1, Ordering::AcqRel);
        drop(last);
    }

    /// A short description of the last failure, for a view.
    pub(crate) fn last(&self) -> String {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.as_ref().map_or_else(String::new, |failure| failure.what.english())
    }

    /// The last failure as an exception.
    pub(crate) fn exception(&self, py: Python<'_>, game: &str) -> PyErr {
        let (what, position, cause) = {
            let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
            let failure = last.as_ref().expect("a failure was counted");
            (failure.what.clone(), failure.position.clone(), failure.cause.as_ref().map(|cause| cause.clone_ref(py)))
        };
        if let Some(cause) = &cause
            && !cause.is_instance_of::<PyException>(py)
        {
            return cause.clone_ref(py); // Ctrl-C and the like
        }
        let build = || -> PyResult<PyErr> {
            let error = what.exception(py, game, &position)?;
            error.set_cause(py, cause);
            Ok(error)
        };
        build().unwrap_or_else(|error| error)
    }
}
