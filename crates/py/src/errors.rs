//! Errors of the core as the exceptions of `python/tavola/errors.py`.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use tavola_core::locale::Locale;
use tavola_core::record::{RecordError, Unwritable};
use tavola_core::view::Refusal;
use tavola_core::{Info, OptionError, PositionError, Text};
use tavola_registry::{AnyGame, AnyState, IllegalAction, LoadError};

/// Builds an object of a class or function in `tavola.errors`.
fn built<'py>(py: Python<'py>, name: &str, args: impl PyCallArgs<'py>) -> PyResult<Bound<'py, PyAny>> {
    py.import("tavola.errors")?.getattr(name)?.call1(args)
}

fn exception<'py>(py: Python<'py>, name: &str, args: impl PyCallArgs<'py>) -> PyErr {
    built(py, name, args).map_or_else(|error| error, PyErr::from_value)
}

/// A message of a game, or of the core, in English, with its key and parameters for other
/// languages.
pub(crate) fn said<'py>(py: Python<'py>, game: Option<&Info>, text: &Text) -> PyResult<Bound<'py, PyAny>> {
    let english = game.map_or_else(Locale::english, Info::english);
    let json = serde_json::to_string(text).expect("a text is data");
    built(py, "GameMessage", (english.format(text), game.map(|game| game.name), json))
}

fn all_said<'py>(py: Python<'py>, game: Option<&Info>, texts: &[Text]) -> PyResult<Vec<Bound<'py, PyAny>>> {
    texts.iter().map(|text| said(py, game, text)).collect()
}

pub(crate) fn load(py: Python<'_>, error: LoadError) -> PyErr {
    match error {
        LoadError::UnknownGame { name, known } => exception(py, "UnknownGame", (name, known)),
        LoadError::Option(error) => option(py, &error),
    }
}

fn option(py: Python<'_>, error: &OptionError) -> PyErr {
    let valid: Vec<(&str, Vec<&str>)> = error.valid.iter().map(|&(name, values)| (name, values.to_vec())).collect();
    match all_said(py, None, &error.faults) {
        Ok(faults) => exception(py, "OptionError", (error.game, faults, valid)),
        Err(error) => error,
    }
}

/// A text is no engine.
pub(crate) fn engine(py: Python<'_>, text: &Bound<'_, PyAny>, fault: &Text) -> PyErr {
    match said(py, None, fault) {
        Ok(fault) => exception(py, "EngineError", (text, fault)),
        Err(error) => error,
    }
}

/// A game cannot be solved, or a file is no solution of it.
pub(crate) fn solution(py: Python<'_>, fault: &Text) -> PyErr {
    match said(py, None, fault) {
        Ok(fault) => exception(py, "SolutionError", (fault,)),
        Err(error) => error,
    }
}

pub(crate) fn position(py: Python<'_>, game: &AnyGame, text: &str, error: &PositionError) -> PyErr {
    match all_said(py, Some(game.info()), &error.faults) {
        Ok(faults) => exception(py, "PositionError", (text, faults)),
        Err(error) => error,
    }
}

pub(crate) fn record(py: Python<'_>, error: &RecordError) -> PyErr {
    match said(py, None, &error.fault) {
        Ok(said) => exception(py, "RecordError", (error.line, said)),
        Err(error) => error,
    }
}

/// A record that cannot be written has no lines.
pub(crate) fn unwritable(py: Python<'_>, Unwritable(fault): &Unwritable) -> PyErr {
    record(py, &RecordError { line: 0, fault: fault.clone() })
}

/// A lesson does not follow the format or the rules.
pub(crate) fn lesson(py: Python<'_>, message: &str) -> PyErr {
    let error = py.import("tavola.lessons.lesson").and_then(|module| module.getattr("LessonError")?.call1((message,)));
    error.map_or_else(|error| error, PyErr::from_value)
}

pub(crate) fn illegal(py: Python<'_>, game: &AnyGame, state: &AnyState, error: IllegalAction) -> PyErr {
    match said(py, Some(game.info()), &game.reason(state, &error)) {
        Ok(reason) => {
            let refusal = error.refusal.map(|refusal| serde_json::to_string(&refusal).expect("a refusal is data"));
            exception(py, "IllegalAction", (error.token, reason, state.text(), refusal))
        }
        Err(error) => error,
    }
}

/// An action of a vector environment is illegal, perhaps because there is none with its id.
pub(crate) fn illegal_id(py: Python<'_>, game: &AnyGame, state: &AnyState, environment: usize, id: i64) -> PyErr {
    let token = usize::try_from(id).ok().and_then(|id| game.token(id));
    let refusal = token.as_ref().and_then(|token| state.play(token).err()).and_then(|error| error.refusal);
    let reason = match &refusal {
        Some(Refusal { text, .. }) => said(py, Some(game.info()), text),
        None => built(py, "unknown_id", (game.action_count(),)),
    };
    match reason {
        Ok(reason) => {
            let refusal = refusal.map(|refusal| serde_json::to_string(&refusal).expect("a refusal is data"));
            exception(py, "IllegalId", (environment, id, token, reason, state.text(), refusal))
        }
        Err(error) => error,
    }
}
