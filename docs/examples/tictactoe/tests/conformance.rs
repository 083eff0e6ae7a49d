//! Random games under every combination of options keep the contract of `tavola-core`.

use tavola_testkit::{Effort, conform};
use tavola_tictactoe::TicTacToe;

#[test]
fn random_games_keep_the_contract() {
    conform::<TicTacToe>(Effort::of_profile());
}
