//! The texts that the browser is held to as well: `tests/data/words.json`.

use serde::Deserialize;
use serde_json::Value;
use tavola_core::locale::Locale;
use tavola_core::text::{Param, Text};

#[derive(Deserialize)]
struct Vector {
    language: String,
    words: Value,
    text: Value,
    said: String,
}

fn text(value: &Value) -> Text {
    let mut text = Text::new(value["key"].as_str().expect("a key").to_owned());
    for (name, param) in value.get("params").and_then(Value::as_object).into_iter().flatten() {
        let param = match param {
            Value::Number(number) => Param::Number(number.as_i64().expect("a whole number")),
            Value::String(raw) => Param::Raw(raw.into()),
            other => Param::Text(self::text(other)),
        };
        text = text.with(name.clone(), param);
    }
    text
}

#[test]
fn texts_are_said_as_the_browser_says_them() {
    let kept = include_str!("../../../tests/data/words.json");
    let vectors: Vec<Vector> = serde_json::from_str(kept).expect("valid vectors");
    assert!(vectors.len() > 10);
    for vector in vectors {
        let mut words = Locale::shared(&vector.language);
        words.add(&vector.words.to_string()).expect("valid words");
        assert_eq!(words.format(&text(&vector.text)), vector.said, "{}", vector.text);
    }
}
