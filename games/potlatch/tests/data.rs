//! The engine against the folder's data: perft tables, the rule book's examples, good and bad positions.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use serde_json::Value;
use tavola_core::{Derived, Game, Notation, Options, perft};
use tavola_potlatch::{Potlatch, State};

fn cases(json: &str) -> Vec<Value> {
    serde_json::from_str(json).expect("a list of cases")
}

fn game(case: &Value) -> Potlatch {
    let given: BTreeMap<String, String> = case["options"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    Potlatch::new(&Options::new(Potlatch::INFO, given).expect("valid options"))
}

fn position(game: &Potlatch, case: &Value) -> State {
    match case["position"].as_str() {
        Some(text) => game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}")),
        None => game.start(),
    }
}

fn legal(game: &Potlatch, state: &State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.token(action)).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|item| item.as_str().expect("a string").to_owned()).collect()
}

fn check_outcome(game: &Potlatch, state: &State, expected: &Value, name: &str) {
    let outcome = game.outcome(state);
    if expected.is_null() {
        assert!(outcome.is_none(), "{name}: {outcome:?}");
        return;
    }
    let outcome = outcome.unwrap_or_else(|| panic!("{name}: the game goes on"));
    let (winners, reason) = match expected {
        Value::Array(pair) => (&pair[0], &pair[1]),
        object => (&object["winners"], &object["reason"]),
    };
    let winners: Vec<u64> = winners.as_array().expect("seats").iter().filter_map(Value::as_u64).collect();
    assert_eq!(outcome.winners.iter().map(u64::from).collect::<Vec<_>>(), winners, "{name}");
    assert_eq!(outcome.reason, reason.as_str().expect("a code"), "{name}");
}

#[test]
fn perft_counts_are_those_of_the_rule_book() {
    for case in cases(include_str!("perft.json")) {
        let game = game(&case);
        let state = position(&game, &case);
        for (depth, count) in (1..).zip(case["counts"].as_array().expect("counts")) {
            let counted = perft(&game, &state, depth, &AtomicBool::new(false));
            assert_eq!(counted, count.as_u64(), "{} at depth {depth}", game.position(&state));
        }
    }
}

#[test]
fn every_example_of_the_manuals_and_clauses_holds() {
    for case in cases(include_str!("examples.json")) {
        let name = case["name"].as_str().expect("a name");
        let game = game(&case);
        let mut state = position(&game, &case);
        for token in case["play"].as_str().unwrap_or("").split_whitespace() {
            let action = game.parse_token(token).expect("an action");
            state = game.play(&state, action).unwrap_or_else(|_| panic!("{name}: {token} is refused"));
        }
        let expect = case["expect"].as_object().expect("expectations");
        for (what, expected) in expect {
            match what.as_str() {
                "legal" => assert_eq!(legal(&game, &state), strings(expected), "{name}"),
                "allows" => strings(expected).iter().for_each(|token| {
                    assert!(legal(&game, &state).contains(token), "{name}: {token} is refused");
                }),
                "refuses" => strings(expected).iter().for_each(|token| {
                    assert!(!legal(&game, &state).contains(token), "{name}: {token} is allowed");
                }),
                "text" => assert_eq!(game.position(&state), expected.as_str().expect("a text"), "{name}"),
                "outcome" => check_outcome(&game, &state, expected, name),
                "to_act" => assert_eq!(game.to_act(&state).seat().map(u64::from), expected.as_u64(), "{name}"),
                other => panic!("{name}: what is {other}?"),
            }
        }
    }
}

#[test]
fn good_positions_are_read() {
    for case in cases(include_str!("positions_good.json")) {
        let text = case["text"].as_str().expect("a text");
        let game = game(&case);
        let state = game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(game.position(&state), text);
        assert_eq!(legal(&game, &state), strings(&case["legal"]), "{text}");
        check_outcome(&game, &state, &case["outcome"], text);
    }
}

#[test]
fn bad_positions_are_refused_for_what_is_wrong() {
    for case in cases(include_str!("positions_bad.json")) {
        let text = case["text"].as_str().expect("a text");
        let error = game(&case).parse_position(text).expect_err(text);
        let field = case["field"].as_str().expect("a field");
        assert!(error.faults.iter().any(|fault| fault.starts_with(field)), "{text}: not for its {field}: {error}");
    }
}
