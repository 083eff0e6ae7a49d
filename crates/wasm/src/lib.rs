//! The core in WebAssembly: the browser's own rules and search.
//!
//! The host writes a request as JSON into the buffer of [`reserve`], calls [`call`], and reads the response of
//! [`length`] bytes at the address that [`call`] returns. [`request::Request`] lists the requests. The response is
//! `{"ok": ...}` or `{"error": {"code", "message"}}`.

mod matches;
mod record;
mod request;
mod review;
mod session;
mod sketch;

use std::sync::{Mutex, MutexGuard, PoisonError};

use serde::Deserialize;

use session::Session;

/// The buffer of requests and responses, and the games in use. A worker runs one thread.
struct Module {
    buffer: Vec<u8>,
    session: Session,
}

static MODULE: Mutex<Option<Module>> = Mutex::new(None);

fn module<T>(use_module: impl FnOnce(&mut Module) -> T) -> T {
    let mut module: MutexGuard<'_, Option<Module>> = MODULE.lock().unwrap_or_else(PoisonError::into_inner);
    use_module(module.get_or_insert_with(|| Module { buffer: Vec::new(), session: Session::default() }))
}

#[cfg(target_family = "wasm")]
#[link(wasm_import_module = "host")]
unsafe extern "C" {
    /// The host's clock in milliseconds.
    safe fn now() -> f64;
}

/// Makes room for a request of this length and returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    #[cfg(target_family = "wasm")]
    tavola_core::clock::set_clock(|| now());
    module(|module| {
        module.buffer.clear();
        module.buffer.resize(length, 0);
        module.buffer.as_mut_ptr()
    })
}

/// Answers the request in the buffer and returns the address of the response.
#[unsafe(no_mangle)]
pub extern "C" fn call() -> *const u8 {
    module(|module| {
        module.buffer = answer(&mut module.session, &module.buffer);
        module.buffer.as_ptr()
    })
}

/// The length of the response in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn length() -> usize {
    module(|module| module.buffer.len())
}

/// Answers a request as JSON.
fn answer(session: &mut Session, request: &[u8]) -> Vec<u8> {
    let mut reader = serde_json::Deserializer::from_slice(request);
    // Variations are nested deeper than its limit; the writer of records has its own.
    reader.disable_recursion_limit();
    let response = match request::Request::deserialize(&mut reader) {
        Ok(request) => session.answer(&request),
        Err(error) => Err(request::Fault { code: "bad-request", message: error.to_string() }),
    };
    let response = match response {
        Ok(value) => serde_json::json!({ "ok": value }),
        Err(fault) => serde_json::json!({ "error": fault }),
    };
    response.to_string().into_bytes()
}

#[cfg(test)]
#[path = "tests/records.rs"]
mod records;

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use tavola_core::OptionSpec;

    use super::*;

    pub(super) fn ask(session: &mut Session, request: &Value) -> Value {
        serde_json::from_slice(&answer(session, request.to_string().as_bytes())).expect("JSON")
    }

    #[test]
    fn every_game_plays_to_its_end_and_every_level_chooses() {
        for info in tavola_registry::games() {
            let mut session = Session::default();
            let mut line: Vec<String> = Vec::new();
            for ply in 0..2_000 {
                let place = json!({"game": info.name, "line": line});
                let position = ask(&mut session, &merged(&place, &json!({"do": "position", "seat": 0})));
                let position = &position["ok"];
                if position["to_act"].is_null() {
                    assert!(position["view"]["outcome"].is_object(), "{position}");
                    break;
                }
                assert!(ply < 1_999, "{} does not end", info.name);
                let asked = match position["to_act"].as_i64() {
                    Some(-1) => json!({"do": "chance", "seed": ply}),
                    _ if ply < 8 => json!({"do": "choose", "level": ply % 4 + 1, "seed": ply}),
                    _ => json!({"do": "choose", "engine": "tree:nodes=20", "seed": ply}),
                };
                let chosen = ask(&mut session, &merged(&place, &asked));
                let token = chosen["ok"]["token"].as_str().unwrap_or_else(|| panic!("{chosen}"));
                line.push(token.to_owned());
                let entry = ask(&mut session, &json!({"do": "entry", "game": info.name, "line": line}));
                assert!(entry["ok"]["label"].is_object(), "{entry}");
            }
            line.push("?".to_owned());
            let log = ask(&mut session, &json!({"do": "entry", "game": info.name, "line": line}));
            assert_eq!(log["error"]["code"], "illegal");
        }
    }

    #[test]
    fn a_match_on_a_device_is_confirmed_undone_and_resigned() {
        for info in tavola_registry::games() {
            let mut session = Session::default();
            let (mut line, mut stored) = (json!([]), json!({"persons": [0, 1], "confirm": true, "confirmed": 0}));
            let mut perform = |command: Value| {
                let place = json!({"do": "match", "game": info.name, "line": line, "stored": stored, "seed": 7});
                let answer = ask(&mut session, &merged(&place, &json!({"command": command})));
                if let Some(played) = answer.get("ok") {
                    line = played["line"].clone();
                    stored =
                        merged(&stored, &json!({"confirmed": played["confirmed"], "resigned": played["resigned"]}));
                }
                answer
            };
            let play = |view: &Value| json!({"what": "play", "token": view["actions"][0]["token"]});
            let code = |answer: &Value| answer["error"]["code"].clone();
            let begun = perform(Value::Null)["ok"].clone();
            let fixed = begun["line"].as_array().expect("a line").len();
            assert_eq!(begun["entries"].as_array().expect("entries").len(), fixed);
            assert_eq!(code(&perform(json!({"what": "confirm"}))), "nothing-to-confirm");
            assert_eq!(code(&perform(json!({"what": "undo", "whole_turn": true}))), "nothing-to-undo");
            let mut now = begun.clone();
            while now["status"] == "playing" {
                now = perform(play(&now["view"]))["ok"].clone();
            }
            assert_eq!((&now["status"], &now["acting"]), (&json!("confirming"), &begun["acting"]), "{now}");
            assert_eq!(code(&perform(json!({"what": "play", "token": "?"}))), "confirm-first");
            let undone = perform(json!({"what": "undo", "whole_turn": false}))["ok"].clone();
            assert_eq!(undone["status"], "playing");
            assert_eq!(perform(play(&undone["view"]))["ok"]["status"], "confirming");
            assert_eq!(
                perform(json!({"what": "confirm"}))["ok"]["acting"],
                1 - begun["acting"].as_i64().expect("a seat")
            );
            let over = perform(json!({"what": "resign", "seat": 1}))["ok"].clone();
            assert_eq!((&over["result"]["loser"], &over["result"]["returns"]), (&json!(1), &json!([1.0, -1.0])));
            assert_eq!(code(&perform(json!({"what": "undo", "whole_turn": false}))), "over");
        }
    }

    #[test]
    fn the_top_level_plays_with_the_network_of_the_game() {
        let games = tavola_registry::games();
        let info = games.iter().find(|info| !info.assets.networks.is_empty()).expect("a game with a network");
        let mut session = Session::default();
        let mut choose = |level: &str, options: &Value| {
            let asked = json!({"do": "choose", "game": info.name, "options": options, "seconds": 0.02, "seed": 1});
            let engine = level.parse().map_or(json!({"engine": level}), |level: usize| json!({"level": level}));
            ask(&mut session, &merged(&asked, &engine))
        };
        let last = |option: &OptionSpec| (option.name.to_owned(), json!(option.values.last()));
        let (defaults, others) = (json!({}), Value::Object(info.options.iter().map(last).collect()));
        let [top, network, classic] =
            ["8", "net:nodes=300", "auto:nodes=300"].map(|engine| choose(engine, &defaults)["ok"]["shares"][0].clone());
        let distance = |share: &Value| (share.as_f64().expect("a share") - top.as_f64().expect("a share")).abs();
        assert!(distance(&network) < distance(&classic), "{top}: {network}, {classic}");
        assert!(choose("8", &others)["ok"]["token"].is_string());
        assert_eq!(choose("net:nodes=20", &others)["error"]["code"], "bad-engine");
        assert_eq!(choose("net:nodes=20,c_puct=x", &defaults)["error"]["code"], "bad-engine");
        assert_eq!(choose("tree:nodes=20,c_puct=1", &defaults)["error"]["code"], "bad-engine");
    }

    #[test]
    fn a_record_becomes_a_tree_and_every_fault_has_its_line() {
        for info in tavola_registry::games() {
            let mut session = Session::default();
            let chosen = ask(&mut session, &json!({"do": "position", "game": info.name}));
            let chance = &chosen["ok"]["chance"][0][0];
            let first = if chance.is_string() { chance } else { &chosen["ok"]["view"]["actions"][0]["token"] };
            let first = first.as_str().expect("a token");
            let text = format!("[Game \"{}\"]\n\n1. {first} {{a\ncomment}}\n??? (!!!)\n", info.name);
            let read = ask(&mut session, &json!({"do": "read-record", "text": text, "language": "en"}));
            assert_eq!(read["ok"]["nodes"][0]["token"], first, "{read}");
            assert!(read["ok"]["nodes"][0]["label"].is_object(), "{read}");
            assert!(read["ok"]["nodes"][0]["events"].is_array(), "{read}");
            let lines: Vec<_> = read["ok"]["faults"].as_array().expect("faults").iter().map(|f| &f["line"]).collect();
            assert_eq!(lines, [5, 5], "{read}");
            assert_eq!(read["ok"]["nodes"][0]["comments"], json!(["a\ncomment"]), "{read}");
            for fault in read["ok"]["faults"].as_array().expect("faults") {
                let text = fault["text"].as_str().expect("a text");
                assert!(text.contains("legal actions: ") || text.contains("its outcomes: "), "{read}");
            }
        }
    }

    #[test]
    fn faults_of_options_and_positions_have_the_line_of_their_tag() {
        for info in tavola_registry::games() {
            let mut session = Session::default();
            for (tags, line) in [("[Options \"none=1 other=2\"]", 3), ("[Rules \"99\"]", 3), ("[Position \"x\"]", 3)] {
                let text = format!("[Game \"{}\"]\n\n{tags}\n", info.name);
                let read = ask(&mut session, &json!({"do": "read-record", "text": text, "language": "ja"}));
                let fault = &read["ok"]["faults"][0];
                assert_eq!(fault["line"], line, "{read}");
                assert!(!fault["text"].as_str().expect("a text").contains('⟨'), "{read}");
            }
            let place = json!({"do": "read-position", "game": info.name, "language": "en"});
            let read = |session: &mut Session, text: Value| ask(session, &merged(&place, &json!({"position": text})));
            assert_ne!(read(&mut session, json!("x"))["ok"]["faults"], json!([]));
            let start = ask(&mut session, &json!({"do": "position", "game": info.name}));
            assert_eq!(read(&mut session, start["ok"]["text"].clone())["ok"]["faults"], json!([]));
        }
    }

    #[test]
    fn an_analysis_has_shares_and_words_also_where_chance_acts() {
        for info in tavola_registry::games() {
            let mut session = Session::default();
            let place = json!({"game": info.name});
            let searched = ask(&mut session, &merged(&place, &json!({"do": "analyse", "nodes": 200, "fresh": true})));
            let searched = &searched["ok"];
            let shares: f64 = searched["shares"].as_array().expect("shares").iter().filter_map(Value::as_f64).sum();
            assert!((shares - 1.0).abs() < 1e-6, "{searched}");
            let line = &searched["lines"][0];
            let words = ask(&mut session, &merged(&place, &json!({"do": "words", "tokens": line["variation"]})));
            let words = words["ok"].as_array().expect("words");
            assert_eq!(words.len(), line["variation"].as_array().expect("tokens").len());
            assert!(words.iter().all(|word| word["label"].is_object()), "{words:?}");
        }
    }

    #[test]
    fn the_analysis_searches_with_the_network_of_the_game() {
        for info in tavola_registry::games() {
            let game = tavola_registry::load(info.name, []).expect("a registered game");
            let limits = tavola_registry::Limits {
                method: tavola_registry::Method::Tree,
                nodes: Some(200),
                lookahead: 0,
                ..tavola_registry::Limits::default()
            };
            let found = game.best_searcher().search(&game.start(), &limits, &tavola_core::CancelToken::default());
            let found = found.expect("every game can be searched").expect("a state of this game");
            let asked = json!({"do": "analyse", "game": info.name, "nodes": 200, "lookahead": 0, "fresh": true});
            let answer = ask(&mut Session::default(), &asked);
            assert_eq!(answer["ok"]["lines"][0]["action"], found.lines[0].action, "{answer}");
            assert_eq!(answer["ok"]["lines"][0]["visits"], found.lines[0].visits, "{answer}");
        }
    }

    #[test]
    fn a_review_judges_every_action_and_its_balance_adds_up() {
        for info in tavola_registry::games() {
            let mut session = Session::default();
            let place = json!({"game": info.name, "seconds": 0.02});
            let mut value = ask(&mut session, &merged(&place, &json!({"do": "evaluate"})))["ok"].clone();
            let mut shares = vec![value["shares"].clone()];
            let (mut actions, mut line) = (Vec::new(), Vec::new());
            for _ in 0..3 {
                // The best action, or the first outcome of chance.
                let token = value["lines"][0]["action"].clone();
                let step = json!({"do": "judge", "line": line, "token": token, "before": value});
                let judged = ask(&mut session, &merged(&place, &step));
                let action = &judged["ok"]["action"];
                assert_eq!(action["token"], token, "{judged}");
                assert_eq!(action["grade"].is_null(), action["seat"] == -1, "{judged}");
                actions.push(action.clone());
                value = judged["ok"]["after"].clone();
                shares.push(value["shares"].clone());
                line.push(token);
            }
            let summary = ask(&mut session, &json!({"do": "summarize", "shares": shares, "actions": actions}));
            for balance in summary["ok"]["balances"].as_array().expect("balances") {
                let part = |name: &str| balance[name].as_f64().expect("a share");
                let parts = ["start", "luck", "own", "others", "unforeseen"].map(part);
                assert!((parts.iter().sum::<f64>() - part("end")).abs() < 1e-9, "{balance}");
            }
            let judge = |token: &str, before: Value| json!({"do": "judge", "token": token, "before": before});
            let illegal = ask(&mut session, &merged(&place, &judge("?", value.clone())));
            assert_eq!(illegal["error"]["code"], "illegal");
            value["shares"] = json!([]);
            let other = ask(&mut session, &merged(&place, &judge("?", value)));
            assert_eq!(other["error"]["code"], "bad-request");
        }
        let empty = ask(&mut Session::default(), &json!({"do": "summarize", "shares": [], "actions": []}));
        assert_eq!(empty["error"]["code"], "bad-request");
    }

    #[test]
    fn lessons_are_judged_and_hints_have_reasons() {
        for info in tavola_registry::games() {
            let mut session = Session::default();
            let lesson: Value = serde_json::from_str(info.assets.lessons[0]).expect("a lesson");
            let solution: Vec<&str> =
                lesson["steps"][0]["accept"][0].as_str().expect("a line").split_whitespace().collect();
            let step = json!({"do": "lesson", "game": info.name, "lesson": lesson, "step": 0});
            let begun = ask(&mut session, &step);
            assert_eq!(begun["ok"]["status"], "playing", "{begun}");
            assert_eq!(begun["ok"]["hint"], solution[0]);
            let solved = ask(&mut session, &merged(&step, &json!({"line": solution})));
            assert_eq!(solved["ok"]["status"], "done", "{solved}");
            assert_eq!(solved["ok"]["text"], lesson["steps"][0]["done"]);
            assert_eq!(solved["ok"]["view"]["actions"], json!([]));
            let wrong = ask(&mut session, &merged(&step, &json!({"line": ["?"]})));
            assert_eq!(wrong["error"]["code"], "illegal");
            let none = ask(&mut session, &merged(&step, &json!({"step": 99})));
            assert_eq!(none["error"]["code"], "bad-lesson");

            let place = json!({
                "game": info.name,
                "options": begun["ok"]["options"],
                "position": begun["ok"]["position"],
            });
            let hint = ask(&mut session, &merged(&place, &json!({"do": "hint"})));
            assert!(hint["ok"]["reasons"][0]["code"].is_string(), "{hint}");
            let line = json!({"line": [hint["ok"]["token"]]});
            let after = ask(&mut session, &merged(&merged(&place, &line), &json!({"do": "position"})));
            assert!(after["ok"]["text"].is_string(), "{after}");
        }
    }

    #[test]
    fn wrong_requests_get_a_precise_error() {
        let mut session = Session::default();
        let name = tavola_registry::games()[0].name;
        for (request, code) in [
            (json!({}), "bad-request"),
            (json!({"do": "position", "game": "none"}), "unknown-game"),
            (json!({"do": "position", "game": name, "position": "?"}), "bad-position"),
            (json!({"do": "position", "game": name, "options": {"none": "1"}}), "unknown-game"),
            (json!({"do": "position", "game": name, "line": ["?"]}), "illegal"),
            (json!({"do": "choose", "game": name, "engine": "tree:none=1"}), "bad-engine"),
            (json!({"do": "choose", "game": name, "level": 9}), "bad-engine"),
            (json!({"do": "analyse", "game": name}), "bad-request"),
        ] {
            let response = ask(&mut session, &request);
            assert_eq!(response["error"]["code"], code, "{request}: {response}");
        }
    }

    fn merged(first: &Value, second: &Value) -> Value {
        let mut all = first.as_object().expect("an object").clone();
        all.extend(second.as_object().expect("an object").clone());
        Value::Object(all)
    }
}
