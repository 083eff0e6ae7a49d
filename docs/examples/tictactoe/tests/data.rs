//! The engine against the folder's perft table and the rule book.

use std::collections::BTreeMap;

use serde_json::Value;
use tavola_core::{GameExt, Compiled, Game, Notation, Options, SeatSet, CancelToken, perft};
use tavola_tictactoe::TicTacToe;

fn game(goal: &str) -> TicTacToe {
    TicTacToe::new(&Options::new(TicTacToe::INFO, [("goal", goal)]).expect("valid options"))
}

#[test]
fn perft_counts_are_the_well_known_ones() {
    let cases: Vec<Value> = serde_json::from_str(include_str!("perft.json")).expect("a list of cases");
    for case in cases {
        let options: BTreeMap<String, String> = serde_json::from_value(case["options"].clone()).expect("options");
        let game = game(&options["goal"]);
        for (depth, count) in (1..).zip(case["counts"].as_array().expect("counts")) {
            let counted = perft(&game, &game.start(), depth, &CancelToken::default());
            assert_eq!(counted, count.as_u64(), "{options:?} at depth {depth}");
        }
    }
}

#[test]
fn a_line_wins_or_loses_as_agreed() {
    for (goal, winner) in [("make", 0), ("avoid", 1)] {
        let game = game(goal);
        let mut state = game.start();
        for token in ["a1", "b1", "a2", "b2", "a3"] {
            state = game.play(&state, game.parse_token(token).expect("a square")).expect("a legal action");
        }
        let outcome = game.outcome(&state).expect("the game is over");
        assert_eq!((outcome.winners, outcome.reason), (SeatSet::one(winner), "line"));
    }
}

#[test]
fn impossible_positions_are_refused_for_what_is_wrong() {
    let english = TicTacToe::INFO.locale("en");
    for (text, field) in [
        ("", "board"),
        ("x.o/.x.", "board"),
        ("x.o/.y./...", "board"),
        ("oo./.x./...", "marks"),
        ("xx./.../...", "marks"),
        ("xxx/oo./..o", "lines"),
    ] {
        let error = game("make").parse_position(text).expect_err(text);
        let said: Vec<String> = error.faults.iter().map(|fault| english.format(fault)).collect();
        assert!(said.iter().any(|fault| fault.starts_with(field)), "{text}: {said:?}");
    }
}
