//! The features of the evaluation, and their weights for each choice of options.

use std::sync::LazyLock;

use tavola_core::{Features, Options, Weights};

pub(crate) const FEATURES: &[&str] = &[
    "points",
    "worth_done",
    "worth_one_left",
    "worth_two_left",
    "worth_later",
    "worth_last",
    "turn_one_left",
    "turn_two_left",
    "turn_later",
    "turn_one_left_by_tiles",
    "turn_two_left_by_tiles",
    "turn_later_by_tiles",
    "passes",
    "first",
];

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| Weights::compiled_in(include_str!("../weights.json"), FEATURES));

/// The weights under these options.
pub(crate) fn weights(options: &Options) -> &'static Features {
    WEIGHTS.under(options)
}
