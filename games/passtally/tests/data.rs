//! The engine against the folder's data.

use tavola_passtally::Passtally;
use tavola_testkit::data;

#[test]
fn perft_counts_are_those_of_the_table() {
    data::perft_table::<Passtally>(include_str!("perft.json"));
}

#[test]
fn recorded_games_end_as_they_did() {
    data::records::<Passtally>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records"));
    assert_eq!(data::turns::<Passtally>(include_str!("records/done-2.txt")), 26);
}

#[test]
fn every_example_of_the_rule_book_holds() {
    data::examples::<Passtally>(include_str!("examples.json"));
}

#[test]
fn good_positions_are_read() {
    data::good_positions::<Passtally>(include_str!("positions_good.json"));
}

#[test]
fn bad_positions_are_refused_for_what_is_wrong() {
    data::bad_positions::<Passtally>(include_str!("positions_bad.json"));
}

#[test]
fn the_winner_s_lines_that_score_decide() {
    let rest = "-,-,-,-,-,-/-,-,-,-,-,-/-,-,-,-,-,-/-,-,-,-,-,-/-,-,-,-,-,-";
    let over = |markers: &str| {
        let text = format!("R1e,L1w,-,-,-,-/{rest} {markers} SL12;RL13;SS13 6,7,7,6,7,5 - - f -");
        data::decisive::<Passtally>(&[], &text)
    };
    assert_eq!(over("Na,Nb,E3,Sd;Nc,E5,Sc,W2 50;7"), "Na-Nb");
    // The winner's lines end elsewhere.
    assert_eq!(over("Nc,E5,Sc,W2;Na,Nb,E3,Sd 50;7"), "");
    assert_eq!(over("Nc,E5,Sc,W2;Na,Nb,E3,Sd 7;50"), "Na-Nb");
}
