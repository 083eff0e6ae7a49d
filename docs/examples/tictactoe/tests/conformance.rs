//! Random games under every combination of options keep the contract of `tavola-core`.

use tavola_tictactoe::TicTacToe;
use tavola_testkit::{Effort, conform};

#[test]
fn random_games_keep_the_contract() {
    conform::<TicTacToe>(Effort::of_profile());
}
