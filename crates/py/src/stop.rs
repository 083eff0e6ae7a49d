//! A way to end a search from another thread, or to let it rest.

use pyo3::prelude::*;

#[pyclass(frozen, module = "tavola._core")]
#[derive(Default)]
pub(crate) struct Stop(tavola_core::CancelToken);

impl Stop {
    pub(crate) fn core(&self) -> &tavola_core::CancelToken {
        &self.0
    }
}

#[pymethods]
impl Stop {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn set(&self) {
        self.0.cancel();
    }

    fn is_set(&self) -> bool {
        self.0.is_cancelled()
    }

    fn pause(&self) {
        self.0.pause();
    }

    fn resume(&self) {
        self.0.resume();
    }
}
