//! The engine against the folder's data.

use tavola_proteus::Proteus;
use tavola_testkit::data;

#[test]
fn perft_counts_are_those_of_the_table() {
    data::perft_table::<Proteus>(include_str!("perft.json"));
}

#[test]
fn recorded_games_end_as_they_did() {
    data::records::<Proteus>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records"));
    assert_eq!(data::turns::<Proteus>(include_str!("records/goal-article.txt")), 27);
}

#[test]
fn every_example_of_the_rule_book_holds() {
    data::examples::<Proteus>(include_str!("examples.json"));
}

#[test]
fn good_positions_are_read() {
    data::good_positions::<Proteus>(include_str!("positions_good.json"));
}

#[test]
fn bad_positions_are_refused_for_what_is_wrong() {
    data::bad_positions::<Proteus>(include_str!("positions_bad.json"));
}

#[test]
fn the_winner_s_three_counters_decide() {
    let decisive = |text| data::decisive::<Proteus>(&[("rules", "kadon")], text);
    assert_eq!(decisive("Rc:Bs/Bc:Bt/Yc+:Bc/Rs+:Ws/Bs/Ys/Rt/Bt+:Wt/Yt:Wc W 0 -"), "a1 b1 c1");
    assert_eq!(decisive("Rs+:Bs/Bt+:Bt/Yc+:Bc/Rc:Wt/Bc/-/-/-/- W - -"), "a1 b1 c1");
}
