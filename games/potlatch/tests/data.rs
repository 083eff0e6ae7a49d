//! The engine against the folder's data.

use tavola_potlatch::Potlatch;
use tavola_testkit::data;

#[test]
fn perft_counts_are_those_of_the_table() {
    data::perft_table::<Potlatch>(include_str!("perft.json"));
}

#[test]
fn recorded_games_end_as_they_did() {
    data::records::<Potlatch>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records"));
    assert_eq!(data::turns::<Potlatch>(include_str!("records/stacks.txt")), 22);
}

#[test]
fn every_example_of_the_rule_book_holds() {
    data::examples::<Potlatch>(include_str!("examples.json"));
}

#[test]
fn good_positions_are_read() {
    data::good_positions::<Potlatch>(include_str!("positions_good.json"));
}

#[test]
fn bad_positions_are_refused_for_what_is_wrong() {
    data::bad_positions::<Potlatch>(include_str!("positions_bad.json"));
}

#[test]
fn the_winner_s_stacks_or_the_blocked_pawn_decide() {
    let decisive = |text| data::decisive::<Potlatch>(&[], text);
    assert_eq!(decisive("0,0:3r;1,0:3r;2,0:3r;0,1:3b;1,1:3 0,0;1,0 R 0 0,0 0 0 -"), "0,0 1,0 2,0");
    // 200 turns: Red has more stacks.
    assert_eq!(decisive("0,0:3r;1,0:3r;2,0:3b 0,0;1,0 R 0 0,0 0 200 -"), "0,0 1,0");
    // Red cannot move.
    assert_eq!(decisive("0,-1:2;1,-1:2;2,-1:0;-1,0:2;0,0:0;1,0:2;2,0:0;-1,1:2;0,1:2 0,0;2,0 R 0 0,0 0 0 -"), "0,0");
    // A draw after 200 turns.
    assert_eq!(decisive("0,0:1;1,0:0 0,0;1,0 R 0 0,0 0 200 -"), "");
}
