//! A game's data as tests: recorded games, and as JSON perft tables, examples of the rule book, good and bad positions.
//!
//! Each JSON file is a list of cases with the `options` of the game. Positions also have a `text`:
//!
//! | file | a case has |
//! |---|---|
//! | `perft.json` | `position` (null: the start), `counts` for depths 1, 2, ... |
//! | `examples.json` | `name`, `position`, `play` (tokens), `expect`: any of `legal` `allows` `refuses` `text` `outcome` `to_act` |
//! | `positions_good.json` | `text`, `legal`, `outcome` |
//! | `positions_bad.json` | `text`, `field`: the beginning of an error |

use std::collections::BTreeMap;
use std::fs;

use serde_json::Value;
use tavola_core::record::Record;
use tavola_core::{CancelToken, Compiled, Complete, GameExt, Options, perft};

use crate::locale::Vocabulary;

fn cases(json: &str) -> Vec<Value> {
    serde_json::from_str(json).expect("a list of cases")
}

fn game<G: Complete + Compiled>(case: &Value) -> G {
    let given: BTreeMap<String, String> = case["options"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(name, value)| (name.clone(), value.as_str().map_or_else(|| value.to_string(), str::to_owned)))
        .collect();
    let given = given.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    G::new(&Options::new(G::INFO, given).expect("valid options"))
}

fn position<G: Complete>(game: &G, case: &Value) -> G::State {
    match case["position"].as_str() {
        Some(text) => game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}")),
        None => game.start(),
    }
}

fn legal<G: Complete>(game: &G, state: &G::State) -> Vec<String> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.token(action).into()).collect()
}

fn strings(value: &Value) -> Vec<String> {
    value.as_array().into_iter().flatten().map(|item| item.as_str().expect("a string").to_owned()).collect()
}

/// Data list tokens in the order of texts, engines in the order of their numbers.
fn sorted(mut tokens: Vec<String>) -> Vec<String> {
    tokens.sort_unstable();
    tokens
}

fn check_outcome<G: Complete>(game: &G, state: &G::State, expected: &Value, name: &str) {
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

/// The counts of a perft table.
///
/// # Panics
/// At the first case that fails.
pub fn perft_table<G: Complete + Compiled>(json: &str) {
    for case in cases(json) {
        let game: G = game(&case);
        let state = position(&game, &case);
        for (depth, count) in (1..).zip(case["counts"].as_array().expect("counts")) {
            let counted = perft(&game, &state, depth, &CancelToken::default());
            assert_eq!(counted, count.as_u64(), "{} at depth {depth}", game.position(&state));
        }
    }
}

/// The recorded games of a folder: each ends as it did.
///
/// # Panics
/// At the first record that fails, and without any.
pub fn records<G: Complete + Compiled>(folder: &str) {
    let files: Vec<_> = fs::read_dir(folder).expect("a folder of records").map(|file| file.expect("a file")).collect();
    assert!(!files.is_empty(), "{folder}: no records");
    for file in files {
        turns::<G>(&fs::read_to_string(file.path()).expect("a text"));
    }
}

/// The number of the turn at the end of a recorded game, which ends as it did.
///
/// # Panics
/// If it does not.
pub fn turns<G: Complete + Compiled>(text: &str) -> u32 {
    let record = Record::read_all(text).expect("a record").remove(0);
    let options = record.options(G::INFO).expect("options");
    let options = options.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    let game = G::new(&Options::new(G::INFO, options).expect("valid options"));
    let start = record.tag("Position").map_or_else(|| game.start(), |text| game.parse_position(text).expect(text));
    let end = record.line.iter().fold(start, |state, step| {
        let action = game.parse_token(&step.token).expect("an action");
        game.play(&state, action).unwrap_or_else(|_| panic!("{text}: {} is refused", step.token))
    });
    let outcome = game.outcome(&end).unwrap_or_else(|| panic!("{text}: the game goes on"));
    assert_eq!(Some(outcome.reason), record.tag("Outcome"), "{text}");
    assert_eq!(Some(game.position(&end).as_str()), record.tag("Final"));
    record.check_result(&outcome.returns(game.seats())).unwrap_or_else(|error| panic!("{text}: {error}"));
    game.turn(&end)
}

/// The examples of a rule book.
///
/// # Panics
/// At the first case that fails.
pub fn examples<G: Complete + Compiled>(json: &str) {
    for case in cases(json) {
        let name = case["name"].as_str().expect("a name");
        let game: G = game(&case);
        let mut state = position(&game, &case);
        for token in case["play"].as_str().unwrap_or("").split_whitespace() {
            let action = game.parse_token(token).expect("an action");
            state = game.play(&state, action).unwrap_or_else(|_| panic!("{name}: {token} is refused"));
        }
        let expect = case["expect"].as_object().expect("expectations");
        for (what, expected) in expect {
            match what.as_str() {
                "legal" => assert_eq!(sorted(legal(&game, &state)), sorted(strings(expected)), "{name}"),
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

/// The keys of the texts of an example's last action, with spaces between them.
///
/// # Panics
/// If there is no such example.
pub fn told<G: Complete + Compiled>(json: &str, name: &str) -> String {
    let case = cases(json).into_iter().find(|case| case["name"] == name).expect(name);
    let game: G = game(&case);
    let mut tokens =
        case["play"].as_str().expect("actions").split(' ').map(|token| game.parse_token(token).expect(token));
    let last = tokens.next_back().expect("an action");
    let state = tokens.fold(position(&game, &case), |state, action| game.play(&state, action).expect("a legal action"));
    let texts = game.events(&state, last).into_iter().filter_map(|event| event.text);
    texts.map(|text| text.key.to_string()).collect::<Vec<_>>().join(" ")
}

/// Returns the cells and lines that decided the game in a final position, with spaces between them.
///
/// # Panics
/// If the position is not valid or not final.
pub fn decisive<G: Complete + Compiled>(options: &[(&str, &str)], text: &str) -> String {
    let game = G::new(&Options::new(G::INFO, options.iter().copied()).expect("valid options"));
    let state = game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    let outcome = game.outcome_view(&state).unwrap_or_else(|| panic!("{text}: not final"));
    outcome.decisive.cells.into_iter().chain(outcome.decisive.lines).collect::<Vec<_>>().join(" ")
}

/// Valid positions with their legal actions and outcomes.
///
/// # Panics
/// At the first case that fails.
pub fn good_positions<G: Complete + Compiled>(json: &str) {
    for case in cases(json) {
        let text = case["text"].as_str().expect("a text");
        let game: G = game(&case);
        let state = game.parse_position(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(game.position(&state), text);
        assert_eq!(sorted(legal(&game, &state)), sorted(strings(&case["legal"])), "{text}");
        check_outcome(&game, &state, &case["outcome"], text);
    }
}

/// Invalid texts with their errors.
///
/// # Panics
/// At the first case that fails.
pub fn bad_positions<G: Complete + Compiled>(json: &str) {
    let english = G::INFO.english();
    let words = Vocabulary::of::<G>();
    for case in cases(json) {
        let text = case["text"].as_str().expect("a text");
        let error = game::<G>(&case).parse_position(text).expect_err(text);
        error.faults.iter().for_each(|fault| words.check_said(fault, text));
        let field = case["field"].as_str().expect("a field");
        let said: Vec<String> = error.faults.iter().map(|fault| english.format(fault)).collect();
        assert!(said.iter().any(|fault| fault.starts_with(field)), "{text}: not for its {field}: {said:?}");
    }
}
