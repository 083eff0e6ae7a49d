//! Positions being set up, and their edits.

use serde_json::{Value, json};
use tavola_core::{PositionError, Sketch, SketchView, Text};
use tavola_registry::AnyGame;

use crate::request::{Edit, Fault, fault, to_value};

/// The text after an edit with everything that an editor shows, or the reason why the edit is impossible.
///
/// A text that cannot be drawn has its faults only.
pub(crate) fn answer(
    game: &AnyGame,
    text: &str,
    tool: Option<&str>,
    edit: Option<&Edit>,
    language: &str,
) -> Result<Value, Fault> {
    let sketch = match game.sketch(text) {
        None => return Ok(Value::Null),
        Some(Ok(sketch)) => sketch,
        Some(Err(error)) => {
            return Ok(json!({ "text": text, "shown": null, "faults": faults(game, &error, None, language) }));
        }
    };
    let Some(edit) = edit else { return Ok(shown(game, text, &*sketch, tool, language)) };
    match edited(&*sketch, edit)? {
        Ok(text) => answer(game, &text, tool, None, language),
        Err(refusal) => Ok(json!({ "refusal": refusal })),
    }
}

fn edited(sketch: &dyn Sketch, edit: &Edit) -> Result<Result<String, Text>, Fault> {
    Ok(match edit {
        Edit::Put { tool, cells, turn } if sketch.tools().iter().any(|known| known.id == *tool) => {
            sketch.put(tool, cells, *turn)
        }
        Edit::Set { field, value }
            if sketch.fields().iter().any(|known| known.id == *field && (0..=known.most).contains(value)) =>
        {
            sketch.set(field, *value)
        }
        Edit::Clear => Ok(sketch.empty()),
        Edit::Put { .. } | Edit::Set { .. } => return Err(fault("bad-request", "no such tool or value")),
    })
}

fn shown(game: &AnyGame, text: &str, sketch: &dyn Sketch, tool: Option<&str>, language: &str) -> Value {
    let shown = SketchView::new(sketch, tool);
    let error = game.parse(text).err().unwrap_or_default();
    let faults = faults(game, &error, Some((&shown, sketch)), language);
    json!({ "text": text, "shown": to_value(&shown), "faults": faults })
}

/// The faults in a language, each with the cells that it names.
fn faults(game: &AnyGame, error: &PositionError, shown: Option<(&SketchView, &dyn Sketch)>, language: &str) -> Value {
    let locale = game.info().locale(language);
    let fault = |fault| {
        let cells = shown.map_or_else(Vec::new, |(shown, sketch)| shown.cells_of(sketch, fault));
        json!({ "text": locale.format(fault), "cells": cells })
    };
    error.faults.iter().map(fault).collect()
}
