//! NumPy arrays: new ones, and those that a caller passes to be filled.

use numpy::ndarray::IntoDimension;
use numpy::npyffi::{NPY_ARRAY_ALIGNED, NPY_ARRAY_C_CONTIGUOUS, NPY_ARRAY_WRITEABLE, NPY_TYPES};
use numpy::{
    Element, PyArray, PyArrayDescr, PyArrayDescrMethods, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A data type that an array passed to be filled may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum DataType {
    Bool,
    Int8,
    UInt8,
    Float32,
}

impl DataType {
    pub(crate) fn of(dtype: &Bound<'_, PyArrayDescr>) -> Option<Self> {
        let number = dtype.num();
        let types = [
            (NPY_TYPES::NPY_BOOL, Self::Bool),
            (NPY_TYPES::NPY_BYTE, Self::Int8),
            (NPY_TYPES::NPY_UBYTE, Self::UInt8),
            (NPY_TYPES::NPY_FLOAT, Self::Float32),
        ];
        types.into_iter().find(|&(code, _)| code as i32 == number).map(|(_, data_type)| data_type)
    }

    fn name(self) -> &'static str {
        match self {
            Self::Bool => "bool",
            Self::Int8 => "int8",
            Self::UInt8 => "uint8",
            Self::Float32 => "float32",
        }
    }
}

/// A new array, filled by `fill`. It has only zeros before.
pub(crate) fn filled<T: Element, D: IntoDimension>(
    py: Python<'_>,
    dimensions: D,
    fill: impl FnOnce(&mut [T]),
) -> Bound<'_, PyAny> {
    let array = PyArray::<T, D::Dim>::zeros(py, dimensions, false);
    // SAFETY: no one else has the new array, which is contiguous.
    fill(unsafe { std::slice::from_raw_parts_mut(array.data(), array.len()) });
    array.into_any()
}

/// A new array of flags, filled as bytes 0 and 1.
pub(crate) fn flags(py: Python<'_>, length: usize, fill: impl FnOnce(&mut [u8])) -> Bound<'_, PyAny> {
    let array = numpy::PyArray1::<bool>::zeros(py, length, false);
    // SAFETY: a flag of NumPy is one byte, `fill` writes 0 or 1, and no one else has the new array.
    fill(unsafe { std::slice::from_raw_parts_mut(array.data().cast(), length) });
    array.into_any()
}

/// An array that a caller passes to be filled, and its data type.
///
/// # Errors
/// `TypeError` or `ValueError` unless the array has one of the data types and the shape, and can be filled.
pub(crate) fn check<'a, 'py>(
    out: &'a Bound<'py, PyAny>,
    types: &[DataType],
    shape: &[usize],
) -> PyResult<(&'a Bound<'py, PyUntypedArray>, DataType)> {
    let names = || types.iter().map(|data_type| data_type.name()).collect::<Vec<_>>().join(", ");
    let wanted = || format!("out must be a NumPy array ({}) with shape {}", names(), tuple(shape));
    let array = out.cast::<PyUntypedArray>().map_err(|_| {
        let name = out.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
        PyTypeError::new_err(format!("{}, not {name}", wanted()))
    })?;
    let dtype = array.dtype();
    let Some(data_type) = DataType::of(&dtype).filter(|known| types.contains(known) && array.shape() == shape) else {
        let given = format!("not of {dtype} with shape {}", tuple(array.shape()));
        return Err(PyValueError::new_err(format!("{}, {given}", wanted())));
    };
    // SAFETY: the pointer is that of a live array.
    let flags = unsafe { (*array.as_array_ptr()).fields.flags };
    let needed = NPY_ARRAY_WRITEABLE | NPY_ARRAY_C_CONTIGUOUS | NPY_ARRAY_ALIGNED;
    if flags & needed != needed || dtype.is_native_byteorder() == Some(false) {
        let fault = "out must be writable, C-contiguous, aligned and in native byte order; pass a new array, or none";
        return Err(PyValueError::new_err(fault));
    }
    Ok((array, data_type))
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
