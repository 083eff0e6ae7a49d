//! Errors of the core as the exceptions of `python/tavola/errors.py`.

use pyo3::call::PyCallArgs;
use pyo3::prelude::*;
use tavola_core::record::RecordError;
use tavola_core::{OptionError, PositionError};
use tavola_registry::{AnyGame, AnyState, IllegalAction, LoadError};

use crate::text::english;

/// Builds an exception of `tavola.errors` by name.
fn exception<'py>(py: Python<'py>, name: &str, args: impl PyCallArgs<'py>) -> PyErr {
    match py.import("tavola.errors").and_then(|errors| errors.getattr(name)?.call1(args)) {
        Ok(value) => PyErr::from_value(value),
        Err(error) => error,
    }
}

pub(crate) fn load(py: Python<'_>, error: LoadError) -> PyErr {
    match error {
        LoadError::UnknownGame { name, known } => exception(py, "UnknownGame", (name, known)),
        LoadError::Option(error) => option(py, error),
    }
}

fn option(py: Python<'_>, error: OptionError) -> PyErr {
    let valid: Vec<(&str, Vec<&str>)> = error.valid.iter().map(|&(name, values)| (name, values.to_vec())).collect();
    exception(py, "OptionError", (error.game, error.faults, valid))
}

pub(crate) fn position(py: Python<'_>, text: &str, error: PositionError) -> PyErr {
    exception(py, "PositionError", (text, error.faults))
}

pub(crate) fn record(py: Python<'_>, error: RecordError) -> PyErr {
    exception(py, "RecordError", (error.line, error.fault))
}

pub(crate) fn illegal(py: Python<'_>, game: &AnyGame, state: &AnyState, error: IllegalAction) -> PyErr {
    let name = game.info().name;
    let reason = match &error.refusal {
        Some(refusal) => english(name, &refusal.text),
        None => format!("no action of {name} is written so; {}", legal(game, state)),
    };
    let refusal = error.refusal.map(|refusal| serde_json::to_string(&refusal).expect("a refusal is data"));
    exception(py, "IllegalAction", (error.token, reason, state.text(), refusal))
}

/// What could be played instead; of many, the first.
fn legal(game: &AnyGame, state: &AnyState) -> String {
    const SHOWN: usize = 20;
    let legal = state.legal_actions();
    let tokens: Vec<String> = legal.iter().take(SHOWN).filter_map(|&index| game.token(index)).collect();
    match legal.len() {
        0 => "no seat can act".to_owned(),
        count if count > SHOWN => format!("legal are {} and {} others", tokens.join(", "), count - SHOWN),
        _ => format!("legal are {}", tokens.join(", ")),
    }
}
