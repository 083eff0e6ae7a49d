//! A way to end a search from another thread.

use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

#[pyclass(frozen, module = "tavola._core")]
#[derive(Default)]
pub(crate) struct Stop(AtomicBool);

impl Stop {
    pub(crate) fn flag(&self) -> &AtomicBool {
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
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
