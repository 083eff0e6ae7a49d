//! Records: merged on reading, numbered on writing.

use serde_json::{Value, json};

use crate::session::Session;
use crate::tests::ask;

#[test]
fn a_variation_that_begins_like_the_line_is_merged_after_it() {
    let mut session = Session::default();
    let mut read = |text: &str, number: usize| {
        let asked = json!({"do": "read-record", "text": text, "number": number, "language": "en"});
        ask(&mut session, &asked)["ok"].clone()
    };
    let text = "[Game \"potlatch\"]\n\n1. Pnw {main} (Pnw {again} Pne (Pe {deep} Pw)) Pw (Pe {third}) {end}\n";
    let merged = read(text, 0);
    let nodes: Vec<_> = merged["nodes"].as_array().expect("nodes").iter().collect();
    let found: Vec<_> = nodes.iter().map(|node| json!([node["parent"], node["token"], node["comments"]])).collect();
    let expected = json!([
        [null, "Pnw", ["main", "again"]],
        [0, "Pw", ["end"]],
        [0, "Pne", []],
        [0, "Pe", ["deep", "third"]],
        [3, "Pw", []],
    ]);
    assert_eq!(json!(found), expected);
    let several = format!("{text}\u{feff}[Game \"none\"]\n1. x\n\n[Game \"montana\"]\n");
    assert_eq!(read(&several, 2)["game"], "montana");
    let unknown = read(&several, 1);
    assert_eq!(unknown["records"][2], json!([["Game", "montana"]]), "{unknown}");
    assert_eq!(unknown["faults"][0]["line"], 4, "{unknown}");
    assert!(unknown["faults"][0]["text"].as_str().expect("a text").contains("unknown game"), "{unknown}");
}

#[test]
fn a_record_lists_a_house_rule_only_if_it_is_on() {
    let mut session = Session::default();
    let mut write = |options: &str| {
        let record = json!({"tags": [["Game", "passtally"], ["Options", options]], "line": []});
        ask(&mut session, &json!({"do": "write-record", "record": record}))["ok"].clone()
    };
    assert_eq!(write("players=3 balance=0"), "[Game \"passtally\"]\n[Options \"players=3\"]\n");
    assert_eq!(write("balance=6"), "[Game \"passtally\"]\n[Options \"balance=6 players=2\"]\n");
}

#[test]
fn a_record_is_written_with_the_turns_of_its_states() {
    let mut session = Session::default();
    let step = |token: &str, variations: Value| json!({"token": token, "variations": variations});
    let variation = json!([{"line": [step("Pe", json!([]))]}]);
    let line = [step("Pnw", json!([])), step("Pw", variation), step("Pne", json!([]))];
    let mut write = |line: Value| {
        let record = json!({"tags": [["Game", "potlatch"]], "line": line});
        ask(&mut session, &json!({"do": "write-record", "record": record}))
    };
    assert_eq!(write(json!(line))["ok"], "[Game \"potlatch\"]\n\n1. Pnw Pw (Pe) 2. Pne\n");
    let mut nested = step("Pnw", json!([]));
    for _ in 0..tavola_core::record::DEEPEST {
        nested = step("Pnw", json!([{"line": [nested]}]));
    }
    assert!(write(json!([nested]))["ok"].is_string());
    assert_eq!(write(json!([step("Pnw", json!([{"line": [nested]}]))]))["error"]["code"], "bad-record");
    assert_eq!(write(json!([step("a b", json!([]))]))["error"]["code"], "bad-record");
}
