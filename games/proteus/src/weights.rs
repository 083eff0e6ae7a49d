//! The features of the evaluation, and their weights for each choice of options.

use std::sync::LazyLock;

use tavola_core::{Features, Options, Weights};

pub(crate) const FEATURES: &[&str] = &[
    "to_act",
    "wins",
    "threatens",
    "threatens_twice",
    "three",
    "sleeping_three",
    "open_line",
    "open_color",
    "open_shape",
    "sleeping_open_line",
    "sleeping_open_color",
    "sleeping_open_shape",
    "moves",
    "centre",
    "turns_goal",
    "placing_to_act",
    "placing_hand",
    "placing_open_line",
    "placing_open_color",
    "placing_open_shape",
    "placing_goal_open",
    "placing_three",
    "placing_goal_three",
    "placing_centre",
];

static WEIGHTS: LazyLock<Weights> = LazyLock::new(|| Weights::compiled_in(include_str!("../weights.json"), FEATURES));

/// The weights under these options.
pub(crate) fn weights(options: &Options) -> &'static Features {
    WEIGHTS.under(options)
}
