//! The engine against the folder's data.

use tavola_passtally::Passtally;
use tavola_testkit::data;

#[test]
fn perft_counts_are_those_of_the_table() {
    data::perft_table::<Passtally>(include_str!("perft.json"));
}
