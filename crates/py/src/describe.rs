//! Texts: the description of a game, messages in a language.

use std::borrow::Cow;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyTuple};
use serde_json::{Value, json};
use tavola_core::locale::Locale;
use tavola_core::svg::Theme;
use tavola_core::{Info, Text};

use crate::arguments::GameOrName;
use crate::catalogue;

/// Parses a JSON file of a game's folder, which the conformance suite has checked.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("a file that the tests have read")
}

pub(crate) fn theme(info: &Info) -> Theme {
    serde_json::from_str(info.assets.theme).expect("a file that the tests have read")
}

/// Describe a game as JSON: options, messages, rule books, art, engine levels, lessons.
///
/// Args:
///     name: The name of the game.
///
/// Raises:
///     UnknownGame: If there is no such game.
#[pyfunction]
pub(crate) fn describe(py: Python<'_>, name: &str) -> PyResult<String> {
    let info = catalogue::find(py, name)?;
    let options: Vec<Value> =
        info.options.iter().map(|option| json!({"name": option.name, "values": option.values})).collect();
    let described = json!({
        "name": info.name,
        "rules_version": info.rules_version,
        "has_chance": info.has_chance,
        "has_draws": info.has_draws,
        "options": options,
        "words": info.words(),
        "rules": info.rules(),
        "symbols": info.assets.symbols,
        "theme": parsed(info.assets.theme),
        "levels": parsed(info.assets.levels),
        "lessons": info.lessons(),
    });
    Ok(described.to_string())
}

/// Return the puzzles of a game as JSON, as `tavola.puzzles` reads them.
///
/// Args:
///     name: The name of the game.
///
/// Returns:
///     The file of the puzzles; empty if the game has none.
///
/// Raises:
///     UnknownGame: If there is no such game.
#[pyfunction]
#[pyo3(name = "_puzzles")]
pub(crate) fn puzzles(py: Python<'_>, name: &str) -> PyResult<Cow<'static, str>> {
    Ok(catalogue::find(py, name)?.puzzles())
}

/// Return the engine specifications of the levels of a game, the weakest first.
///
/// Args:
///     game: The game.
#[pyfunction]
#[pyo3(name = "_levels")]
pub(crate) fn levels(py: Python<'_>, game: GameOrName) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, game.0.0.levels())
}

/// Return the archive of a game, as `tavola.archive` reads it.
///
/// Args:
///     name: The name of the game.
///
/// Returns:
///     The file of the archive; empty if the game has none.
///
/// Raises:
///     UnknownGame: If there is no such game.
#[pyfunction]
#[pyo3(name = "_archive")]
pub(crate) fn archive<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyBytes>> {
    Ok(PyBytes::new(py, catalogue::find(py, name)?.assets.archive))
}

/// Format a message in a language.
///
/// Args:
///     name: The game of the message; None for a message of the core.
///     language: A language code. English messages stand for missing ones.
///     text_json: A `Text` as JSON: the key of a message and its parameters.
///
/// Returns:
///     The sentence or label. An unknown key appears as `⟨key⟩`.
///
/// Raises:
///     UnknownGame: If there is no such game.
///     ValueError: If the JSON is not a `Text`.
#[pyfunction]
pub(crate) fn say(py: Python<'_>, name: Option<&str>, language: &str, text_json: &str) -> PyResult<String> {
    let info = name.map(|name| catalogue::find(py, name)).transpose()?;
    let text: Text = serde_json::from_str(text_json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let locale = info.map_or_else(|| Locale::shared(language), |info| info.locale(language));
    Ok(locale.format(&text))
}
