//! Checks of evaluations: finite numbers, shares with the sum 1, unique names.

use std::collections::BTreeSet;

use tavola_core::{Complete, MAX_FEATURES, Seat, weighted};

/// Checks the names of the features, and their weights under some options.
pub(crate) fn check_names<G: Complete>(game: &G) {
    let names = G::FEATURES;
    assert!(names.len() <= MAX_FEATURES, "{} features are more than {MAX_FEATURES}", names.len());
    assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len(), "two features have one name: {names:?}");
    let plain = |name: &&str| name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    assert!(names.iter().all(plain), "features are named in lower case: {names:?}");
    let weights = game.weights();
    assert!(weights[names.len()..].iter().all(|&weight| weight == 0.0), "a weight without a feature: {weights:?}");
    let uses_features = game.prefers_evaluation() || game.prior().is_some();
    assert!(!uses_features || !names.is_empty(), "a game without features searches by its evaluation");
}

/// Checks a state that is not over.
pub(crate) fn check<G: Complete>(game: &G, state: &G::State) {
    let text = || game.position(state);
    let logits = game.logits(state);
    for seat in 0..game.seats() as Seat {
        let features = game.features(state, seat);
        let standing = weighted(&features, game.weights());
        let together = logits[usize::from(seat)];
        assert!((together - standing).abs() < 1e-3, "{}: seat {seat} stands at {together}, or {standing}", text());
        assert!(features.iter().all(|value| value.is_finite()), "{}: seat {seat} has {features:?}", text());
        let unnamed = &features[G::FEATURES.len()..];
        assert!(unnamed.iter().all(|&value| value == 0.0), "{}: features without a name: {unnamed:?}", text());
    }
    let estimate = game.estimate(state);
    let (shares, nobody) = estimate.split_at(game.seats());
    let sum: f32 = shares.iter().sum();
    assert!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "{}: no shares: {estimate:?}", text());
    assert!((sum - 1.0).abs() < 1e-4, "{}: {estimate:?} is {sum} in sum", text());
    assert!(nobody.iter().all(|&share| share == 0.0), "{}: shares of nobody: {estimate:?}", text());
}
