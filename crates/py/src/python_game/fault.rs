//! Messages about rules that broke their contract: an English template and its parameters.
//!
//! `python/tavola/messages` translates them by their templates, like the messages of `tavola.errors`.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A message: its English template, with `{name}` for a parameter.
#[derive(Clone)]
pub(crate) struct Fault {
    template: &'static str,
    params: Vec<(&'static str, Param)>,
}

/// The value of a parameter.
#[derive(Clone)]
enum Param {
    Literal(String),
    Fault(Fault),
}

impl Fault {
    /// A message without parameters.
    pub(crate) fn new(template: &'static str) -> Self {
        Self { template, params: Vec::new() }
    }

    /// The same with one more parameter, the same in every language.
    pub(crate) fn with(mut self, name: &'static str, value: impl ToString) -> Self {
        self.params.push((name, Param::Literal(value.to_string())));
        self
    }

    /// The same with a message as one more parameter.
    pub(crate) fn with_fault(mut self, name: &'static str, fault: Self) -> Self {
        self.params.push((name, Param::Fault(fault)));
        self
    }

    /// The message as a `tavola.errors.Message`.
    pub(crate) fn message<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let params = PyDict::new(py);
        for (name, value) in &self.params {
            match value {
                Param::Literal(text) => params.set_item(name, text)?,
                Param::Fault(fault) => params.set_item(name, fault.message(py)?)?,
            }
        }
        py.import("tavola.errors")?.getattr("Message")?.call((self.template,), Some(&params))
    }

    /// The message as an exception: `tavola.errors.GameFailed`.
    pub(crate) fn exception(&self, py: Python<'_>, game: &str, position: &str) -> PyResult<PyErr> {
        let class = py.import("tavola.errors")?.getattr("GameFailed")?;
        Ok(PyErr::from_value(class.call1((game, self.message(py)?, position))?))
    }

    /// The message in English.
    pub(crate) fn english(&self) -> String {
        let mut rest = self.template;
        let mut english = String::new();
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, part)| Some((before, part.split_once('}')?)))
        {
            english.push_str(before);
            match self.params.iter().find(|(known, _)| *known == name) {
                Some((_, Param::Literal(text))) => english.push_str(text),
                Some((_, Param::Fault(fault))) => english.push_str(&fault.english()),
                None => unreachable!("{} has no parameter {name}", self.template),
            }
            rest = after;
        }
        english + rest
    }
}
