//! Random games under every combination of options keep the contract of `tavola-core`.

use tavola_potlatch::Potlatch;
use tavola_testkit::{Effort, conform};

#[test]
fn random_games_keep_the_contract() {
    conform::<Potlatch>(Effort::of_profile());
}
