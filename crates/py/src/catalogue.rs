//! All games by name: those that are compiled in, and those whose rules are a Python class.

use std::env;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;
use tavola_core::{Info, Options};
use tavola_registry::{AnyGame, LoadError};

use crate::{errors, python_game};

/// The files of Python games that every process of this session loads, separated as in `PATH`.
const FILES: &str = "TAVOLA_GAMES";

/// Registers the games of the environment, once for each process.
fn read_environment(py: Python<'_>) -> PyResult<()> {
    static DONE: AtomicBool = AtomicBool::new(false);
    if env::var_os(FILES).is_some() && !DONE.swap(true, Ordering::AcqRel) {
        py.import("tavola.custom")?.call_method0("load_environment")?;
    }
    Ok(())
}

/// The names of all games, sorted.
pub(crate) fn names(py: Python<'_>) -> PyResult<Vec<&'static str>> {
    read_environment(py)?;
    let mut names: Vec<&str> = tavola_registry::games().iter().map(|info| info.name).collect();
    names.extend(python_game::names());
    names.sort_unstable();
    Ok(names)
}

/// The metadata of a game. The name of a Python file registers the game in it.
///
/// # Errors
/// `UnknownGame`, or the failure of the file.
pub(crate) fn find(py: Python<'_>, name: &str) -> PyResult<&'static Info> {
    if let Ok(info) = tavola_registry::find(name) {
        return Ok(info);
    }
    read_environment(py)?;
    if let Some(info) = python_game::find(name) {
        return Ok(info);
    }
    if Path::new(name).extension().is_some_and(|extension| extension == "py") {
        let registered: String = py.import("tavola.custom")?.call_method1("load_file", (name,))?.extract()?;
        if let Some(info) = python_game::find(&registered) {
            return Ok(info);
        }
    }
    let unknown = LoadError::UnknownGame { name: name.to_owned(), known: names(py)? };
    Err(errors::load(py, unknown))
}

/// Opens a game with options.
///
/// # Errors
/// `UnknownGame`, `OptionError`, or the exception of a Python game.
pub(crate) fn open(py: Python<'_>, name: &str, given: &[(String, String)]) -> PyResult<AnyGame> {
    let info = find(py, name)?;
    let given = given.iter().map(|(option, value)| (option.as_str(), value.as_str()));
    if tavola_registry::find(info.name).is_ok() {
        return tavola_registry::load(info.name, given).map_err(|error| errors::load(py, error));
    }
    let options = Options::new(info, given).map_err(|error| errors::load(py, error.into()))?;
    Ok(python_game::open(py, info.name, options)?.expect("the game was found"))
}
