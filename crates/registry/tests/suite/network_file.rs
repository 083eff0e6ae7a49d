//! Network files for a game.

use tavola_registry::{FileError, NetworkDesign, Tensors, Weights, games, load};

#[test]
fn a_setting_of_the_search_out_of_range_is_refused() {
    let game = load(games()[0].name, []).expect("a registered game");
    let layer =
        |inputs: usize, outputs: usize| Weights { weight: vec![1.0; inputs * outputs], bias: vec![1.0; outputs] };
    let weights = Tensors {
        input: layer(game.space().flat_len(), 1),
        value: layer(1, 1),
        shares: layer(1, game.seats()),
        policy: layer(1, game.action_count()),
    };
    let fault = |c_puct, rollouts| {
        let design =
            NetworkDesign { hidden: 1, second: 1, features: &[], looks: false, c_puct, rollouts, about: "a test" };
        game.read_network(&game.new_network(&design, &weights).to_bytes()).err()
    };
    assert_eq!(fault(Some(100.0), Some(1.0)), None);
    assert_eq!(fault(Some(-1.0), None), Some(FileError::Header("c_puct is -1".to_owned())));
    assert_eq!(fault(None, Some(1.5)), Some(FileError::Header("rollouts is 1.5".to_owned())));
}
