//! Game records as columns: the buffers of Apache Arrow.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use tavola_core::record::Record;

use crate::errors;

/// A column of strings, some of them missing: offsets, bytes, and a bit for each string that is there.
#[derive(Default)]
struct Strings {
    offsets: Vec<u8>,
    bytes: Vec<u8>,
    valid: Vec<u8>,
    count: usize,
}

impl Strings {
    fn new() -> Self {
        Self { offsets: 0_i32.to_le_bytes().to_vec(), ..Self::default() }
    }

    fn push(&mut self, text: Option<&str>) {
        if self.count.is_multiple_of(8) {
            self.valid.push(0);
        }
        if let Some(text) = text {
            self.bytes.extend_from_slice(text.as_bytes());
            self.valid[self.count / 8] |= 1 << (self.count % 8);
        }
        push_offset(&mut self.offsets, self.bytes.len());
        self.count += 1;
    }

    /// Adds missing strings up to a number of strings.
    fn fill(&mut self, count: usize) {
        while self.count < count {
            self.push(None);
        }
    }

    fn buffers<'py>(&self, py: Python<'py>) -> [Bound<'py, PyBytes>; 3] {
        [&self.valid, &self.offsets, &self.bytes].map(|buffer| PyBytes::new(py, buffer))
    }
}

/// Offsets are 32-bit, because a text is far below 2 GB.
fn push_offset(offsets: &mut Vec<u8>, offset: usize) {
    let offset = i32::try_from(offset).expect("a text of at most 2 GB");
    offsets.extend_from_slice(&offset.to_le_bytes());
}

/// The columns of records.
struct Columns {
    count: usize,
    tags: Vec<(String, Strings)>,
    games: Vec<u8>,
    tokens: Strings,
    turns: Vec<u8>,
    comments: Strings,
}

impl Columns {
    fn of(records: &[Record]) -> Self {
        let mut columns = Self {
            count: records.len(),
            tags: Vec::new(),
            games: 0_i32.to_le_bytes().to_vec(),
            tokens: Strings::new(),
            turns: Vec::new(),
            comments: Strings::new(),
        };
        let mut places = HashMap::new();
        for (number, record) in records.iter().enumerate() {
            for (tag, value) in &record.tags {
                let place = *places.entry(tag.as_str()).or_insert_with(|| {
                    columns.tags.push((tag.clone(), Strings::new()));
                    columns.tags.len() - 1
                });
                let column = &mut columns.tags[place].1;
                column.fill(number);
                column.push(Some(value));
            }
            for step in &record.line {
                columns.tokens.push(Some(&step.token));
                columns.turns.extend_from_slice(&step.turn.unwrap_or(0).to_le_bytes());
                match step.comments.as_slice() {
                    [] => columns.comments.push(None),
                    [comment] => columns.comments.push(Some(comment)),
                    comments => columns.comments.push(Some(&comments.join(" "))),
                }
            }
            push_offset(&mut columns.games, columns.tokens.count);
        }
        for (_, column) in &mut columns.tags {
            column.fill(records.len());
        }
        columns
    }
}

/// Parse game records into the buffers of Apache Arrow.
///
/// Args:
///     text: One or more records in the format of the rule books, below 2 GB.
///
/// Returns:
///     The number of records as `count`, and the buffers of columns. A column of strings has
///     three: validity, offsets, bytes. `tags` has a name and strings for each tag. `games` has
///     the offset of the first action of each record. For each action, `tokens` and `comments`
///     have strings, and `turns` has 32-bit numbers, 0 within a turn.
///
/// Raises:
///     RecordError: With the line of the first error.
#[pyfunction]
#[pyo3(name = "_record_columns")]
pub(crate) fn record_columns<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyDict>> {
    let columns = py
        .detach(|| Record::read_all(text).map(|records| Columns::of(&records)))
        .map_err(|error| errors::record(py, &error))?;
    let found = PyDict::new(py);
    let tags: Vec<_> = columns.tags.iter().map(|(tag, column)| (tag, column.buffers(py))).collect();
    found.set_item("count", columns.count)?;
    found.set_item("tags", tags)?;
    found.set_item("games", PyBytes::new(py, &columns.games))?;
    found.set_item("tokens", columns.tokens.buffers(py))?;
    found.set_item("turns", PyBytes::new(py, &columns.turns))?;
    found.set_item("comments", columns.comments.buffers(py))?;
    Ok(found)
}
