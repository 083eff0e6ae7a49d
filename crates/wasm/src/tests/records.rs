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

#[test]
fn a_wrong_tag_is_a_fault_with_its_line() {
    let mut session = Session::default();
    let mut read = |text: &str, language: &str| {
        ask(&mut session, &json!({"do": "read-record", "text": text, "number": 0, "language": language}))["ok"].clone()
    };
    let game = |tags: &str| format!("[Game \"potlatch\"]\n{tags}\n\n1. Pnw\n");
    for (text, line, english, japanese) in [
        ("[Event \"x\"]\n".to_owned(), 1, "there is no tag Game", "タグGameがありません"),
        (game("[Options \"actions\"]"), 2, "expected name=value", "name=valueの形ではありません"),
        (game("\n[Rules \"99\"]"), 3, "version 99 of the rules", "第99版"),
        (game("[Options \"actions=9\"]"), 2, "actions cannot be", "actionsに"),
    ] {
        for (language, said) in [("en", english), ("ja", japanese)] {
            let answer = read(&text, language);
            let fault = &answer["faults"][0];
            assert_eq!((&answer["nodes"], &fault["line"]), (&json!([]), &json!(line)), "{answer}");
            assert!(fault["text"].as_str().expect("a text").contains(said), "{answer}");
        }
    }
}

#[test]
fn a_result_must_be_that_of_the_end_of_the_line() {
    let mut session = Session::default();
    let game = tavola_registry::load("potlatch", []).expect("a game");
    let (mut state, mut line) = (game.start(), Vec::new());
    while let Some(token) = state.legal_actions().first().and_then(|&action| game.token(action)) {
        state = state.play(&token).expect("legal");
        line.push(token);
    }
    let returns = state.outcome().expect("the end").returns(2);
    let mut faults = |result: &str, line: &str| {
        let text = format!("[Game \"potlatch\"]\n[Result \"{result}\"]\n\n{line}\n");
        ask(&mut session, &json!({"do": "read-record", "text": text, "number": 0, "language": "en"}))["ok"]["faults"]
            .clone()
    };
    assert_eq!(faults(&format!("{} {}", returns[0], returns[1]), &line.join(" ")), json!([]));
    let wrong = faults("0.25 -0.25", &line.join(" "));
    assert_eq!(wrong[0]["line"], 2, "{wrong}");
    assert!(wrong[0]["text"].as_str().expect("a text").starts_with("the tag Result is \"0.25 -0.25\""), "{wrong}");
    assert_eq!(faults("0.25 -0.25", "1. Pnw"), json!([]), "the game goes on");
}
