//! The engine against the folder's data.

use tavola_passtally::Passtally;
use tavola_testkit::data;

#[test]
fn perft_counts_are_those_of_the_table() {
    data::perft_table::<Passtally>(include_str!("perft.json"));
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
