//! Locale, records and what is known of a game, as text.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use serde_json::{Map, Value, json};
use tavola_core::locale::Locale;
use tavola_core::record::Record;
use tavola_core::svg::Theme;
use tavola_core::{Info, Text};

use crate::errors;

/// A file of a game's folder that is JSON; the conformance suite has read it before.
fn parsed(json: &str) -> Value {
    serde_json::from_str(json).expect("a file that the tests have read")
}

pub(crate) fn theme(info: &Info) -> Theme {
    serde_json::from_str(info.assets.theme).expect("a file that the tests have read")
}

/// A game's words in English.
pub(crate) fn english(info: &Info) -> Locale {
    info.locale("en").expect("every game speaks English")
}

#[pyfunction]
pub(crate) fn describe(py: Python<'_>, name: &str) -> PyResult<String> {
    let info = tavola_registry::find(name).map_err(|error| errors::load(py, error))?;
    let options: Vec<Value> =
        info.options.iter().map(|option| json!({"name": option.name, "values": option.values})).collect();
    let words: Map<String, Value> =
        info.assets.locales.iter().map(|&(language, words)| (language.to_owned(), parsed(words))).collect();
    let rules: Map<String, Value> =
        info.assets.rules.iter().map(|&(language, book)| (language.to_owned(), book.into())).collect();
    let described = json!({
        "name": info.name,
        "rules_version": info.rules_version,
        "has_chance": info.has_chance,
        "has_draws": info.has_draws,
        "options": options,
        "words": words,
        "rules": rules,
        "symbols": info.assets.symbols,
        "theme": parsed(info.assets.theme),
        "levels": parsed(info.assets.levels),
    });
    Ok(described.to_string())
}

#[pyfunction]
pub(crate) fn say(py: Python<'_>, name: Option<&str>, language: &str, text_json: &str) -> PyResult<String> {
    let info = name.map(tavola_registry::find).transpose().map_err(|error| errors::load(py, error))?;
    let text: Text = serde_json::from_str(text_json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let words = info.map_or_else(|| Locale::shared(language), |info| info.locale(language));
    let words = words.ok_or_else(|| PyValueError::new_err(format!("nothing is said in {language:?}")))?;
    Ok(words.format(&text))
}

#[pyfunction]
#[pyo3(name = "_records_from_text")]
pub(crate) fn records_from_text(py: Python<'_>, text: &str) -> PyResult<String> {
    let records = Record::read_all(text).map_err(|error| errors::record(py, &error))?;
    Ok(serde_json::to_string(&records).expect("records are plain data"))
}

#[pyfunction]
#[pyo3(name = "_records_to_text")]
pub(crate) fn records_to_text(records_json: &str) -> PyResult<String> {
    let records: Vec<Record> =
        serde_json::from_str(records_json).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let texts: Vec<_> = records.iter().map(Record::to_string).collect();
    Ok(texts.join("\n"))
}
