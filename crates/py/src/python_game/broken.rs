//! Rules that broke their contract, and texts about them.

use pyo3::prelude::*;
use tavola_core::Text;

use super::fault::Fault;

/// Rules that broke their contract, or raised an exception.
pub(crate) struct Broken {
    pub(crate) what: Fault,
    pub(crate) cause: Option<PyErr>,
}

impl Broken {
    pub(crate) fn new(what: Fault) -> Self {
        Self { what, cause: None }
    }

    /// Rules that raised an exception.
    pub(crate) fn raised(py: Python<'_>, part: &str, error: PyErr) -> Self {
        let name = error.get_type(py).name().map_or_else(|_| "an exception".to_owned(), |name| name.to_string());
        let said = error.value(py).to_string();
        let line = last_line(py, &error).unwrap_or_default();
        let raised = format!("{name}: {said}{line}");
        let what = Fault::new("{part} raised {error}").with("part", part).with("error", raised);
        Self { what, cause: Some(error) }
    }

    /// The same, found after an action.
    pub(crate) fn after(mut self, token: &str) -> Self {
        if self.cause.is_none() {
            self.what =
                Fault::new("after {token} {fault}").with("token", format!("{token:?}")).with_fault("fault", self.what);
        }
        self
    }
}

/// The file and line where an exception was raised.
pub(crate) fn last_line(py: Python<'_>, error: &PyErr) -> Option<String> {
    let mut traceback = error.traceback(py)?.into_any();
    while let Ok(next) = traceback.getattr("tb_next")
        && !next.is_none()
    {
        traceback = next;
    }
    let code = traceback.getattr("tb_frame").ok()?.getattr("f_code").ok()?;
    let path: String = code.getattr("co_filename").ok()?.extract().ok()?;
    let file = path.rsplit(['/', '\\']).next().unwrap_or_default().to_owned();
    let line: u32 = traceback.getattr("tb_lineno").ok()?.extract().ok()?;
    Some(format!(" ({file}, line {line})"))
}

/// Literal text, the same in every language.
pub(crate) fn raw(text: &str) -> Text {
    Text::new("raw").with("text", text)
}

/// A value for a message.
pub(crate) fn shown(value: &Bound<'_, PyAny>) -> String {
    let text = value.repr().map_or_else(|_| "an object without a text".to_owned(), |text| text.to_string());
    tavola_core::quote::shortened(&text).into_owned()
}
