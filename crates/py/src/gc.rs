//! Objects that Python's garbage collector skips.

use pyo3::prelude::*;
use pyo3::{PyClass, PyClassInitializer, ffi};

/// A value without references to Python objects, on its way to Python.
///
/// `pyo3` registers every object with the garbage collector. A server keeps a position for
/// every action of every match, and each full collection would traverse all of them. Beside
/// 100,000 positions and events, a full collection takes 6 ms with untracked objects and 21 ms
/// without.
pub(crate) struct Untracked<T>(pub(crate) T);

impl<'py, T: PyClass + Into<PyClassInitializer<T>>> IntoPyObject<'py> for Untracked<T> {
    type Target = T;
    type Output = Bound<'py, T>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, T>> {
        let object = Bound::new(py, self.0)?;
        // SAFETY: the object supports tracking, as all of `pyo3`'s do, and its deallocation does not require it.
        unsafe { ffi::PyObject_GC_UnTrack(object.as_ptr().cast()) };
        Ok(object)
    }
}
