//! Pictures of positions.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tavola_core::locale::Locale;
use tavola_core::svg::{Colours, Notes, Picture};
use tavola_core::{Info, View};

use crate::classes::State;
use crate::describe::theme;

/// The widths of pictures in pixels.
const WIDTHS: std::ops::RangeInclusive<u32> = 240..=4000;

fn colours(name: &str) -> PyResult<Colours> {
    match name {
        "light" => Ok(Colours::Light),
        "dark" => Ok(Colours::Dark),
        "both" => Ok(Colours::Both),
        "page" => Ok(Colours::Page),
        other => Err(PyValueError::new_err(format!("colours are light, dark, both or page, not {other:?}"))),
    }
}

/// The `tavola.picture.Picture` of a state.
pub(crate) fn new_picture<'py>(state: Bound<'py, State>, options: &Bound<'py, PyDict>) -> PyResult<Bound<'py, PyAny>> {
    state.py().import("tavola.picture")?.getattr("Picture")?.call((state,), Some(options))
}

fn locale(info: &Info, language: &str) -> PyResult<Locale> {
    let known = info.languages();
    if !known.contains(language) {
        let known: Vec<_> = known.into_iter().collect();
        return Err(PyValueError::new_err(format!("language must be {}, not {language:?}", known.join(" or "))));
    }
    Ok(info.locale(language))
}

/// The board alone as SVG.
pub(crate) fn board(info: &Info, view: &View, colours: &str, language: Option<&str>, notes: Notes) -> PyResult<String> {
    let names = language.map(|language| locale(info, language)).transpose()?;
    let notes = Notes { names, ..notes };
    Ok(tavola_core::svg::draw(view, info.assets.symbols, &theme(info), self::colours(colours)?, &notes))
}

pub(crate) fn svg(
    info: &Info,
    view: View,
    viewer: Option<u8>,
    language: &str,
    colours: &str,
    width: u32,
    notes: Notes,
) -> PyResult<String> {
    if !WIDTHS.contains(&width) {
        let (least, most) = (WIDTHS.start(), WIDTHS.end());
        return Err(PyValueError::new_err(format!("width must be from {least} to {most} pixels, not {width}")));
    }
    let locale = locale(info, language)?;
    Ok(tavola_core::svg::picture(Picture {
        view,
        viewer,
        info,
        locale: &locale,
        theme: theme(info),
        colours: self::colours(colours)?,
        width: f64::from(width),
        notes,
    }))
}
