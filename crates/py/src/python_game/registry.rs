//! The list of Python games of this process.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{PoisonError, RwLock};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde::Deserialize;
use tavola_core::locale::ByLanguage;
use tavola_core::{Assets, Info, OptionSpec, Options};
use tavola_registry::AnyGame;

use super::fault::Fault;
use super::rules::PythonGame;

/// A game: its metadata, and the function that builds its object from options.
struct Entry {
    info: &'static Info,
    create: Py<PyAny>,
}

/// The number of changes of the list, so that others know when their copies are old.
static CHANGES: AtomicU64 = AtomicU64::new(0);

static GAMES: RwLock<BTreeMap<&'static str, Entry>> = RwLock::new(BTreeMap::new());

/// The description of a game by `tavola.custom`.
#[derive(Deserialize)]
struct Description {
    name: String,
    rules_version: u32,
    has_chance: bool,
    has_draws: bool,
    options: Vec<(String, Vec<String>)>,
    rules: Vec<(String, String)>,
    locales: Vec<(String, String)>,
    symbols: String,
    theme: String,
    levels: String,
}

/// A text that lives as long as the program, as those that are compiled in.
fn leak(text: String) -> &'static str {
    text.leak()
}

fn leak_pairs(pairs: Vec<(String, String)>) -> ByLanguage {
    pairs.into_iter().map(|(key, value)| (leak(key), leak(value))).collect::<Vec<_>>().leak()
}

impl Description {
    fn into_info(self) -> Info {
        let option = |(name, values): (String, Vec<String>)| {
            OptionSpec::new(leak(name), values.into_iter().map(leak).collect::<Vec<_>>().leak())
        };
        Info {
            name: leak(self.name),
            rules_version: self.rules_version,
            oldest_rules_version: self.rules_version,
            has_chance: self.has_chance,
            has_draws: self.has_draws,
            options: self.options.into_iter().map(option).collect::<Vec<_>>().leak(),
            assets: Assets {
                rules: leak_pairs(self.rules),
                locales: leak_pairs(self.locales),
                symbols: leak(self.symbols),
                theme: leak(self.theme),
                levels: leak(self.levels),
                ..Assets::NONE
            },
        }
    }
}

/// Register a game whose rules are a Python class.
///
/// Args:
///     description_json: The metadata, as of `tavola.custom.description`.
///     create: A function from options to the game's object and the JSON of its board.
///
/// Raises:
///     GameFailed: If a compiled game has the name.
///     ValueError: If the JSON is not a description.
#[pyfunction]
#[pyo3(name = "_register_game")]
pub(crate) fn register(py: Python<'_>, description_json: &str, create: Py<PyAny>) -> PyResult<()> {
    let description: Description =
        serde_json::from_str(description_json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    if tavola_registry::find(&description.name).is_ok() {
        let fault = Fault::new("{name} is the name of a game of Tavola").with("name", &description.name);
        return Err(fault.exception(py, &description.name, "")?);
    }
    let info: &'static Info = Box::leak(Box::new(description.into_info()));
    let mut games = GAMES.write().unwrap_or_else(PoisonError::into_inner);
    let before = games.insert(info.name, Entry { info, create });
    drop(games);
    drop(before);
    CHANGES.fetch_add(1, Ordering::AcqRel);
    Ok(())
}

/// Remove a registered Python game from the list. Its games and states stay valid.
///
/// Args:
///     name: The name of the game.
///
/// Returns:
///     Whether there was such a game.
#[pyfunction]
#[pyo3(name = "_unregister_game")]
pub(crate) fn unregister(name: &str) -> bool {
    let before = GAMES.write().unwrap_or_else(PoisonError::into_inner).remove(name);
    CHANGES.fetch_add(1, Ordering::AcqRel);
    before.is_some()
}

/// Return the number of changes of the list of Python games.
///
/// A cache of descriptions uses it as a part of its key.
#[pyfunction]
#[pyo3(name = "_registrations")]
pub(crate) fn registrations() -> u64 {
    CHANGES.load(Ordering::Acquire)
}

/// The names of the Python games, sorted.
pub(crate) fn names() -> Vec<&'static str> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).keys().copied().collect()
}

/// The metadata of a Python game.
pub(crate) fn find(name: &str) -> Option<&'static Info> {
    GAMES.read().unwrap_or_else(PoisonError::into_inner).get(name).map(|entry| entry.info)
}

/// Opens a Python game with valid options.
pub(crate) fn open(py: Python<'_>, name: &str, options: Options) -> PyResult<Option<AnyGame>> {
    let found = {
        let games = GAMES.read().unwrap_or_else(PoisonError::into_inner);
        games.get(name).map(|entry| (entry.info, entry.create.clone_ref(py)))
    };
    let Some((info, create)) = found else { return Ok(None) };
    let given = PyDict::new(py);
    for (option, value) in options.iter() {
        given.set_item(option, value)?;
    }
    let created = create.bind(py).call1((given,))?;
    let (object, json): (Py<PyAny>, String) = created.cast::<PyTuple>()?.extract()?;
    let game = PythonGame::new(info, object, &json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Some(AnyGame::new(game, options)))
}
