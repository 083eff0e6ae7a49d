//! Observations: positions as arrays of numbers, and the description of the arrays.

use std::cell::RefCell;

use numpy::{PyArrayDescr, PyArrayDescrMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tavola_core::observe::{Layout, Scope, Space};
use tavola_registry::{AnyGame, AnyState};

use crate::arrays::{self, DataType};
use crate::classes::{Game, Reduced};

/// The data types of observations.
const TYPES: [DataType; 2] = [DataType::Float32, DataType::UInt8];

thread_local! {
    /// The flat observation that floats are computed from.
    static FLAT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

/// The layout with a name.
pub(crate) fn layout(name: &str) -> PyResult<Layout> {
    match name {
        "planes" => Ok(Layout::Planes),
        "flat" => Ok(Layout::Flat),
        other => Err(PyValueError::new_err(format!("layout must be \"planes\" or \"flat\", not {other:?}"))),
    }
}

/// The space of a game.
///
/// # Errors
/// `ValueError` if it has no planes.
pub(crate) fn space(game: &AnyGame) -> PyResult<&Space> {
    let space = game.space();
    if space.is_empty() {
        let name = game.info().name;
        return Err(PyValueError::new_err(format!("{name} has no observations; its rules define no planes")));
    }
    Ok(space)
}

fn data_type(dtype: &Bound<'_, PyAny>) -> PyResult<DataType> {
    let wrong = || {
        let given = dtype.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        PyTypeError::new_err(format!("dtype must be numpy.float32 or numpy.uint8, not {given}"))
    };
    let descr = PyArrayDescr::new(dtype.py(), dtype).map_err(|_| wrong())?;
    DataType::of(&descr)
        .filter(|known| TYPES.contains(known) && descr.is_native_byteorder() != Some(false))
        .ok_or_else(wrong)
}

/// The dimensions of an array in a layout.
pub(crate) fn shape(space: &Space, layout: Layout) -> ([usize; 3], usize) {
    match layout {
        Layout::Planes => ([space.planes.len(), space.board.0, space.board.1], 3),
        Layout::Flat => ([space.flat_len(), 0, 0], 1),
    }
}

fn write_bytes(state: &AnyState, space: &Space, seat: u8, layout: Layout, out: &mut [u8]) {
    state.observe(seat, &mut out[..space.flat_len()]);
    if layout == Layout::Planes {
        space.spread(out);
    }
}

fn write_floats(state: &AnyState, space: &Space, seat: u8, layout: Layout, out: &mut [f32]) {
    // Taken and not borrowed: the rules of a Python game can ask for observations themselves.
    let mut flat = FLAT.take();
    flat.resize(space.flat_len(), 0);
    state.observe(seat, &mut flat);
    space.to_floats(&flat, layout, out);
    FLAT.set(flat);
}

/// The observation of a seat as an array: `out`, or a new one.
pub(crate) fn observation<'py>(
    py: Python<'py>,
    game: &AnyGame,
    state: &AnyState,
    seat: u8,
    layout: Layout,
    dtype: Option<&Bound<'py, PyAny>>,
    out: Option<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let space = space(game)?;
    let dtype = dtype.map(data_type).transpose()?;
    let (dimensions, count) = shape(space, layout);
    let Some(out) = out else {
        return Ok(match (dtype.unwrap_or(DataType::Float32), layout) {
            (DataType::UInt8, Layout::Planes) => {
                arrays::filled::<u8, _>(py, dimensions, |out| write_bytes(state, space, seat, layout, out))
            }
            (DataType::UInt8, Layout::Flat) => {
                arrays::filled::<u8, _>(py, [dimensions[0]], |out| write_bytes(state, space, seat, layout, out))
            }
            (_, Layout::Planes) => {
                arrays::filled::<f32, _>(py, dimensions, |out| write_floats(state, space, seat, layout, out))
            }
            (_, Layout::Flat) => {
                arrays::filled::<f32, _>(py, [dimensions[0]], |out| write_floats(state, space, seat, layout, out))
            }
        });
    };
    let types = dtype.as_ref().map_or(&TYPES[..], std::slice::from_ref);
    let (array, dtype) = arrays::check(&out, types, &dimensions[..count])?;
    // SAFETY: the array is checked and has this type.
    unsafe {
        if dtype == DataType::UInt8 {
            arrays::fill(array, |out| write_bytes(state, space, seat, layout, out));
        } else {
            arrays::fill(array, |out| write_floats(state, space, seat, layout, out));
        }
    }
    Ok(out)
}

/// The planes that the seat to act observes in each state, in one array of floats.
pub(crate) fn all<'py, 'a>(
    py: Python<'py>,
    game: &AnyGame,
    states: impl ExactSizeIterator<Item = &'a AnyState>,
) -> PyResult<Bound<'py, PyAny>> {
    let space = space(game)?;
    let ([planes, rows, columns], _) = shape(space, Layout::Planes);
    Ok(arrays::filled::<f32, _>(py, [states.len(), planes, rows, columns], |out| {
        for (state, out) in states.zip(out.chunks_exact_mut(planes * rows * columns)) {
            write_floats(state, space, state.to_act().seat().unwrap_or(0), Layout::Planes, out);
        }
    }))
}

/// One kind of information in an observation.
///
/// Attributes:
///     name: A unique name in lower case.
///     kind: "cell" for one value for each cell, "scalar" for one value for the position.
///     high: The largest value, from 1 to 255. The smallest is 0.
///     about: The meaning of the values, in English.
///
/// >>> load("potlatch").observation_space.planes[0].name
/// 'tile'
#[pyclass(frozen, get_all, eq, hash, module = "tavola._core")]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct Plane {
    /// A unique name in lower case.
    name: String,
    /// Either "cell", one value for each cell, or "scalar", one value for the position.
    kind: &'static str,
    /// The largest value, from 1 to 255.
    high: u8,
    /// The meaning of the values, in English.
    about: String,
}

#[pymethods]
impl Plane {
    #[new]
    fn new(name: String, kind: &str, high: u8, about: String) -> PyResult<Self> {
        let kind = match kind {
            "cell" => "cell",
            "scalar" => "scalar",
            other => return Err(PyValueError::new_err(format!("kind must be \"cell\" or \"scalar\", not {other:?}"))),
        };
        Ok(Self { name, kind, high, about })
    }

    #[classattr]
    fn __match_args__() -> (&'static str, &'static str, &'static str, &'static str) {
        ("name", "kind", "high", "about")
    }

    fn __repr__(&self) -> String {
        format!("<Plane {} {} 0 to {}: {}>", self.name, self.kind, self.high, self.about)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (&str, &str, u8, &str)> {
        (py.get_type::<Self>().into_any(), (&self.name, self.kind, self.high, &self.about))
    }
}

/// The shape of a game's observations, and the meaning of every plane.
///
/// Layout "planes" has the shape (planes, rows, columns), and a scalar fills its plane. Layout
/// "flat" has the shape (n,): the planes of cells one after the other, row by row, then each
/// scalar once. As uint8, values are from 0 to the plane's `high`; as float32, they are divided
/// by it.
///
/// >>> space = load("potlatch").observation_space
/// >>> space.board, space.shape(), space.shape("flat")
/// ((10, 10), (18, 10, 10), (1305,))
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct ObservationSpace(pub(crate) Game);

impl ObservationSpace {
    fn space(&self) -> &Space {
        self.0.0.space()
    }
}

#[pymethods]
impl ObservationSpace {
    /// The rows and columns of the rectangle of cells.
    #[getter]
    fn board(&self) -> (usize, usize) {
        self.space().board
    }

    /// The planes: those of cells first, then the scalars.
    #[getter]
    fn planes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let planes = self.space().planes.iter().map(|plane| Plane {
            name: plane.name.to_string(),
            kind: if plane.scope == Scope::Cell { "cell" } else { "scalar" },
            high: plane.high,
            about: plane.about.to_string(),
        });
        PyTuple::new(py, planes.collect::<Vec<_>>())
    }

    /// Return the shape of an observation.
    ///
    /// Args:
    ///     layout: "planes" or "flat".
    ///
    /// Raises:
    ///     ValueError: For another layout.
    #[pyo3(signature = (layout="planes"))]
    fn shape<'py>(&self, py: Python<'py>, layout: &str) -> PyResult<Bound<'py, PyTuple>> {
        let (dimensions, count) = shape(self.space(), self::layout(layout)?);
        PyTuple::new(py, &dimensions[..count])
    }

    /// Return the largest value of every number of an observation.
    ///
    /// Args:
    ///     layout: "planes" or "flat".
    ///
    /// Returns:
    ///     A NumPy array of uint8 with `shape(layout)`.
    ///
    /// Raises:
    ///     ValueError: For another layout.
    #[pyo3(signature = (layout="planes"))]
    fn high<'py>(&self, py: Python<'py>, layout: &str) -> PyResult<Bound<'py, PyAny>> {
        let (space, layout) = (self.space(), self::layout(layout)?);
        let (dimensions, count) = shape(space, layout);
        let once = |scope| layout == Layout::Flat && scope == Scope::Scalar;
        let fill = |out: &mut [u8]| {
            let counts =
                space.planes.iter().map(|plane| (plane.high, if once(plane.scope) { 1 } else { space.cells() }));
            let values = counts.flat_map(|(high, count)| std::iter::repeat_n(high, count));
            out.iter_mut().zip(values).for_each(|(out, high)| *out = high);
        };
        let flat = arrays::filled::<u8, _>(py, [space.len(layout)], fill);
        flat.call_method1("reshape", (PyTuple::new(py, &dimensions[..count])?,))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0.same(&other.0)
    }

    fn __hash__(&self) -> u64 {
        self.0.hash()
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let (rows, columns) = self.space().board;
        Ok(format!(
            "<ObservationSpace of {}: {} planes, {rows} x {columns} cells>",
            self.0.text(py)?,
            self.space().planes.len()
        ))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (Game, &'static str)>> {
        Ok((py.import("builtins")?.getattr("getattr")?, (self.0.clone(), "observation_space")))
    }
}
