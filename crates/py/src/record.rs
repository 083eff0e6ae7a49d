//! Game records: the reader and the writer of the core.

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tavola_core::record::{DEEPEST, Record, Step, Variation, shown_turn};

use crate::classes::Game;
use crate::{catalogue, errors};

/// Parse game records.
///
/// Args:
///     text: One or more records in the format of the rule books.
///
/// Returns:
///     A JSON list of records.
///
/// Raises:
///     RecordError: With the line of the first error.
#[pyfunction]
#[pyo3(name = "_records_from_text")]
pub(crate) fn records_from_text(py: Python<'_>, text: &str) -> PyResult<String> {
    let records = Record::read_all(text).map_err(|error| errors::record(py, &error))?;
    Ok(serde_json::to_string(&records).expect("records are plain data"))
}

/// Write a game record.
///
/// Args:
///     record: A `tavola.Record`.
///
/// Returns:
///     The record in the format of the rule books.
///
/// Raises:
///     RecordError: If its text would not read back to an equal record.
///     TypeError: If a part of the record has another type.
#[pyfunction]
#[pyo3(name = "_record_to_text")]
pub(crate) fn record_to_text(record: &Bound<'_, PyAny>) -> PyResult<String> {
    let tags = record.getattr("tags")?.extract()?;
    let (comments, line) = (record.getattr("comments")?.extract()?, line(record, 0)?);
    let record_of_core = Record { tags, comments, line, places: Vec::new() };
    record_of_core.text().map_err(|error| errors::unwritable(record.py(), &error))
}

/// Return `tavola.Record.game`.
#[pyfunction]
#[pyo3(name = "_record_game")]
pub(crate) fn record_game(record: &Bound<'_, PyAny>) -> PyResult<Game> {
    let (py, record) = (record.py(), with_tags(record)?);
    let name = record.game().map_err(|error| errors::record(py, &error))?;
    let options = record.options(catalogue::find(py, name)?).map_err(|error| errors::record(py, &error))?;
    catalogue::open(py, name, &options.into_iter().collect::<Vec<_>>()).map(Game)
}

/// Return `tavola.Record.returns`.
#[pyfunction]
#[pyo3(name = "_record_returns")]
pub(crate) fn record_returns<'py>(record: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyTuple>>> {
    with_tags(record)?.returns().map(|returns| PyTuple::new(record.py(), returns)).transpose()
}

/// Raise `RecordError` if the tag `Result` differs from the returns at the end of the game.
#[pyfunction]
#[pyo3(name = "_check_result")]
pub(crate) fn check_result(record: &Bound<'_, PyAny>, returns: Vec<f64>) -> PyResult<()> {
    with_tags(record)?.check_result(&returns).map_err(|error| errors::record(record.py(), &error))
}

/// Return the numbers that actions in these turns show in a record: None within a turn.
#[pyfunction]
#[pyo3(name = "_shown_turns")]
pub(crate) fn shown_turns(turns: Vec<u32>) -> Vec<Option<u32>> {
    let mut before = None;
    turns.into_iter().map(|turn| shown_turn(turn, &mut before)).collect()
}

/// A record with the tags alone.
fn with_tags(record: &Bound<'_, PyAny>) -> PyResult<Record> {
    let (tags, places) = (record.getattr("tags")?.extract()?, record.getattr("places")?.extract()?);
    Ok(Record { tags, places, ..Record::default() })
}

/// The actions of a record or a variation. The writer refuses variations beyond its maximum depth.
fn line(of: &Bound<'_, PyAny>, depth: usize) -> PyResult<Vec<Step>> {
    let steps = of.getattr("line")?.try_iter()?;
    steps
        .map(|step| {
            let step = step?;
            let variations = step.getattr("variations")?.try_iter()?.take(if depth > DEEPEST { 0 } else { usize::MAX });
            Ok(Step {
                turn: step.getattr("turn")?.extract()?,
                token: step.getattr("token")?.extract()?,
                comments: step.getattr("comments")?.extract()?,
                variations: variations
                    .map(|variation| {
                        let variation = variation?;
                        let comments = variation.getattr("comments")?.extract()?;
                        Ok(Variation { comments, line: line(&variation, depth + 1)? })
                    })
                    .collect::<PyResult<_>>()?,
                place: None,
            })
        })
        .collect()
}
