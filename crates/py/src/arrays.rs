//! NumPy arrays: new ones, and those that a caller passes to be filled.

use numpy::npyffi::{NPY_ARRAY_WRITEABLE, NPY_TYPES};
use numpy::{PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A data type that an array passed to be filled may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataType {
    Bool,
    Int8,
    UInt8,
}

impl DataType {
    fn of(array: &Bound<'_, PyUntypedArray>) -> Option<Self> {
        let number = array.dtype().num();
        let types =
            [(NPY_TYPES::NPY_BOOL, Self::Bool), (NPY_TYPES::NPY_BYTE, Self::Int8), (NPY_TYPES::NPY_UBYTE, Self::UInt8)];
        types.into_iter().find(|&(code, _)| code as i32 == number).map(|(_, data_type)| data_type)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "int8",
            Self::UInt8 => "uint8",
        }
    }
}

/// A new array of flags, filled as bytes 0 and 1.
pub(crate) fn flags(py: Python<'_>, length: usize, fill: impl FnOnce(&mut [u8])) -> Bound<'_, PyAny> {
    let array = numpy::PyArray1::<bool>::zeros(py, length, false);
    // SAFETY: a flag of NumPy is one byte, `fill` writes 0 or 1, and no one else has the new array.
    fill(unsafe { std::slice::from_raw_parts_mut(array.data().cast(), length) });
    array.into_any()
}

/// An array that a caller passes to be filled.
///
/// # Errors
/// `TypeError` or `ValueError` unless the array has one of the data types and one of the shapes, and is C-contiguous
/// and writable.
pub(crate) fn check<'a, 'py>(
    out: &'a Bound<'py, PyAny>,
    types: &[DataType],
    shape: &[usize],
) -> PyResult<&'a Bound<'py, PyUntypedArray>> {
    let names = || types.iter().map(|data_type| data_type.name()).collect::<Vec<_>>().join(", ");
    let wanted = || format!("out must be a NumPy array ({}) with shape {}", names(), tuple(shape));
    let array = out.cast::<PyUntypedArray>().map_err(|_| {
        let name = out.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("{}, not {name}", wanted()))
    })?;
    if DataType::of(array).is_none_or(|data_type| !types.contains(&data_type)) || array.shape() != shape {
        let given = format!("not of {} with shape {}", array.dtype(), tuple(array.shape()));
        return Err(PyValueError::new_err(format!("{}, {given}", wanted())));
    }
    // SAFETY: the pointer is that of a live array.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    if !array.is_c_contiguous() || flags & NPY_ARRAY_WRITEABLE == 0 {
        return Err(PyValueError::new_err("out must be writable and C-contiguous; pass a new array, or none"));
    }
    Ok(array)
}

/// Fills a checked array with numbers of type `T`.
///
/// # Safety
/// The array has passed [`check`] with types of the size of `T` that can hold everything that `fill` writes.
pub(crate) unsafe fn fill<T>(array: &Bound<'_, PyUntypedArray>, fill: impl FnOnce(&mut [T])) {
    if array.is_empty() {
        return fill(&mut []);
    }
    // SAFETY: the array is live, contiguous and writable, and the interpreter stays locked.
    fill(unsafe { std::slice::from_raw_parts_mut((*array.as_array_ptr()).fields.data.cast(), array.len()) });
}

/// A shape as Python writes it.
fn tuple(shape: &[usize]) -> String {
    match shape {
        [length] => format!("({length},)"),
        _ => format!("({})", shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")),
    }
}
