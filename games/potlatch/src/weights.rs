//! The features of the evaluation, and their weights for each choice of options.

use std::sync::LazyLock;

use tavola_core::{Features, Options, Weights};

pub(crate) const FEATURES: &[&str] = &[
    "to_act",
    "actions_taken",
    "stacks_1",
    "stacks_2",
    "stacks_3",
    "lasting",
    "lasting_2",
    "lasting_3",
    "ripe_near_1",
    "ripe_near_2",
    "could_win",
    "chips",
    "steps",
    "walled_in",
    "reach",
    "on_own",
    "on_rivals",
];

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| Weights::compiled_in(include_str!("../weights.json"), FEATURES));

/// The weights under these options.
pub(crate) fn weights(options: &Options) -> &'static Features {
    WEIGHTS.under(options)
}
