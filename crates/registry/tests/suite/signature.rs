//! Signatures: the number of nodes of a search of fixed depth. They change with the search, with a game's order of actions
//! and with its weights, and with nothing else. After an intended change, update the numbers here.

use tavola_core::CancelToken;
use tavola_registry::{Limits, Method, load};

fn limits(method: Method, depth: u32) -> Limits {
    Limits { method, depth: Some(depth), lookahead: 0, memory: 1 << 24, ..Limits::default() }
}

#[test]
fn alpha_beta_looks_at_as_many_nodes_as_ever() {
    // White to act; Black threatens to win, and can be kept from it.
    const MOVEMENT: &str = "Ys/Yc+:Wc/Rt+:Wt/Yt:Ws/Rs/Bc:Bc/Bs/Rc:Bs/Bt+:Bt W 12 -";
    let counts = [
        ("potlatch", ("actions", "2"), None, 7),
        ("potlatch", ("actions", "3"), None, 7),
        ("proteus", ("rules", "article"), None, 3),
        ("proteus", ("rules", "kadon"), None, 3),
        ("proteus", ("rules", "article"), Some(MOVEMENT), 6),
    ]
    .map(|(name, option, position, depth)| {
        let game = load(name, [option]).expect("a game");
        let state = position.map_or_else(|| game.start(), |text| game.parse(text).expect("a good position"));
        let never = CancelToken::default();
        state.search(&limits(Method::AlphaBeta, depth), &never).expect("it suits the game").nodes
    });
    assert_eq!(counts, [23_763, 21_334, 5_868, 5_868, 6_387]);
}

#[test]
fn a_method_that_does_not_suit_says_what_does() {
    let never = CancelToken::default();
    let refusal = |name, method| {
        let game = load(name, []).expect("a game");
        game.start().search(&limits(method, 3), &never).expect_err("it does not suit the game").to_string()
    };
    assert_eq!(
        refusal("passtally", Method::AlphaBeta),
        "alpha-beta searches games of two seats without chance; passtally has chance: take the method tree, or auto"
    );
    assert_eq!(
        refusal("passtally", Method::Auto),
        "a depth is a limit of alpha-beta, which searches games of two seats without chance; passtally has chance: limit \
         nodes or seconds"
    );
    assert_eq!(
        refusal("potlatch", Method::Tree),
        "a depth is a limit of alpha-beta, not of the tree: limit nodes or seconds"
    );
}
