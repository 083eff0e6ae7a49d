//! Game records: the reader and the writer of the core.

use pyo3::prelude::*;
use tavola_core::record::{DEEPEST, Record, Step, Variation};

use crate::errors;

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
