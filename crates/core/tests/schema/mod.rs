//! The JSON Schema of what the browser receives from a game.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use tavola_core::view::{Event, MoveLabel, Prospect, Refusal, View};

/// The data that a game produces: positions, events and consequences of actions, reasons of refusals.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Wire {
    view: View,
    events: Vec<Event>,
    move_label: MoveLabel,
    refusal: Refusal,
    prospect: Prospect,
}

/// The schema as it is kept in `web/schema/view.schema.json`.
pub fn of_the_wire() -> String {
    let schema = SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<Wire>();
    format!("{:#}\n", schema.to_value())
}
