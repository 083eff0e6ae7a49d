//! Prints the JSON Schema of what the browser receives from a game: `web/schema/view.schema.json`.
//!
//! ```sh
//! cargo run -p tavola-core --example schema > web/schema/view.schema.json
//! ```

#[path = "../tests/schema/mod.rs"]
mod schema;

fn main() {
    print!("{}", schema::of_the_wire());
}
