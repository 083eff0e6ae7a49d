//! Objects that Python's collector need not look at.

use pyo3::prelude::*;
use pyo3::{PyClass, PyClassInitializer, ffi};

/// A value that holds no Python objects, as it is given to Python.
///
/// `pyo3` tracks every object it makes. A server that keeps a position for every action of every match would look
/// through all of them for cycles, and everybody would wait meanwhile.
pub(crate) struct Untracked<T>(pub(crate) T);

impl<'py, T: PyClass + Into<PyClassInitializer<T>>> IntoPyObject<'py> for Untracked<T> {
    type Target = T;
    type Output = Bound<'py, T>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, T>> {
        let object = Bound::new(py, self.0)?;
        // SAFETY: it is an object that can be tracked, as all of `pyo3`'s are, and whose end does not ask whether it is.
        unsafe { ffi::PyObject_GC_UnTrack(object.as_ptr().cast()) };
        Ok(object)
    }
}
