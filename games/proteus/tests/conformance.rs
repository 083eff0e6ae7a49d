//! Random games under every combination of options keep the contract of `tavola-core`.

use tavola_proteus::Proteus;
use tavola_testkit::{Effort, conform};

#[test]
fn random_games_keep_the_contract() {
    conform::<Proteus>(Effort::of_profile());
}
