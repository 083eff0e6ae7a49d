//! The engine against the folder's data.

use tavola_montana::Montana;
use tavola_testkit::data;

#[test]
fn perft_counts_are_those_of_the_table() {
    data::perft_table::<Montana>(include_str!("perft.json"));
}

#[test]
fn recorded_games_end_as_they_did() {
    data::records::<Montana>(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/records"));
    assert_eq!(data::turns::<Montana>(include_str!("records/settled-2-shift.txt")), 104);
}

#[test]
fn every_example_of_the_rule_book_holds() {
    data::examples::<Montana>(include_str!("examples.json"));
}

#[test]
fn good_positions_are_read() {
    data::good_positions::<Montana>(include_str!("positions_good.json"));
}

#[test]
fn bad_positions_are_refused_for_what_is_wrong() {
    data::bad_positions::<Montana>(include_str!("positions_bad.json"));
}

#[test]
fn the_winner_s_settlements_decide() {
    let over = |holdings: &str| {
        let land = "L04r2/L08r1/L05r5/L01r0/L06r1/L12r4/L03r3 2,1 0,2=1x3/1,2=0x3/2,0=0x3/2,2=0x3/3,-1=1x3/3,0=0x3/4,-3=1x3/4,-2=1x3";
        let text = format!("2/shift {land} {holdings} -,-,-,-/-,-,-/-,-,-/-,-,-/-,-,- -/- 5 1 over");
        data::decisive::<Montana>(&[("players", "2"), ("grain", "shift")], &text)
    };
    assert_eq!(over("c10C5s10S5g10v10/n18k18y18o18/4 0:-:-:1:1/99:-:-:1:0"), "1,2 2,0 2,2 3,0");
    assert_eq!(over("c10C5s10S5g10v10/n18k18y18o18/3 3:-:-:2:0/4:-:-:1:1"), "0,2 3,-1 4,-2 4,-3");
    // Both win.
    assert_eq!(over("c8C5s9S5g10v10/n16k17y18o18/2 3:n:c:2:0/1:nk:cs:2:0"), "");
}
