//! The schema that the browser's types are made from is the one of these types.

mod schema;

#[test]
fn the_schema_that_is_kept_is_current() {
    let kept = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/schema/view.schema.json");
    let kept = std::fs::read_to_string(kept).expect("the schema is kept");
    assert_eq!(
        kept,
        schema::of_the_wire(),
        "run `cargo run -p tavola-core --example schema > web/schema/view.schema.json`, then `npm run types` in web/"
    );
}
