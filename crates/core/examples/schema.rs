//! Prints the JSON Schema of what the browser receives from a game: `web/schema/view.schema.json`.
//!
//! ```sh
//! cargo run -p tavola-core --example schema > web/schema/view.schema.json
//! ```

use schemars::{JsonSchema, generate::SchemaSettings};
use tavola_core::view::{Event, Refusal, View};

/// What a game says: positions, what actions did, and why others are refused.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is used")]
struct Wire {
    view: View,
    events: Vec<Event>,
    refusal: Refusal,
}

fn main() {
    let schema = SchemaSettings::default().for_serialize().into_generator().into_root_schema_for::<Wire>();
    println!("{:#}", schema.to_value());
}
