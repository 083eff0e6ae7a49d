//! The weights of an evaluation, from `weights.json` in the game's folder, which `tavola fit` writes.

use std::collections::BTreeMap;

use serde::Deserialize;

use crate::evaluation::{Features, MAX_FEATURES};
use crate::info::Options;

/// All weights of one game.
#[derive(Clone, Debug)]
pub struct Weights(Vec<(BTreeMap<String, String>, Features)>);

/// The file. Its other members document the fit.
#[derive(Deserialize)]
struct File {
    sets: Vec<Set>,
}

#[derive(Deserialize)]
struct Set {
    /// The options of this set; any value of a missing option is fine.
    options: BTreeMap<String, String>,
    weights: BTreeMap<String, f32>,
}

/// An error in a file of weights.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("weights.json: {0}")]
pub struct WeightsError(String);

impl Weights {
    /// Reads the file of a game with these features.
    ///
    /// # Errors
    /// [`WeightsError`] if the file is malformed, or has other features than these.
    pub fn parse(text: &str, features: &[&str]) -> Result<Self, WeightsError> {
        let file: File = serde_json::from_str(text).map_err(|error| WeightsError(error.to_string()))?;
        let mut sets = Vec::new();
        for set in file.sets {
            if let Some(unknown) = set.weights.keys().find(|name| !features.contains(&name.as_str())) {
                return Err(WeightsError(format!("{:?}: no feature is called {unknown:?}", set.options)));
            }
            let mut weights = [0.0; MAX_FEATURES];
            for (weight, feature) in weights.iter_mut().zip(features) {
                let Some(&given) = set.weights.get(*feature) else {
                    return Err(WeightsError(format!("{:?}: a weight for {feature:?} is missing", set.options)));
                };
                *weight = given;
            }
            sets.push((set.options, weights));
        }
        Ok(Self(sets))
    }

    /// Reads a file that is compiled into the game.
    ///
    /// # Panics
    /// If the file is malformed, which the tests of the game detect.
    pub fn compiled_in(text: &str, features: &[&str]) -> Self {
        Self::parse(text, features).unwrap_or_else(|error| panic!("{error}"))
    }

    /// The weights for these options: the most specific set that matches them.
    ///
    /// # Panics
    /// If no set matches, which the tests of the game detect.
    pub fn under(&self, options: &Options) -> &Features {
        let agrees = |wanted: &BTreeMap<String, String>| {
            wanted.iter().all(|(name, value)| options.iter().any(|(known, chosen)| known == name && chosen == value))
        };
        let sets = self.0.iter().filter(|(wanted, _)| agrees(wanted));
        let set = sets.max_by_key(|(wanted, _)| wanted.len());
        &set.unwrap_or_else(|| panic!("weights.json: nothing for {options}")).1
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::info::{Assets, Info, OptionSpec};

    const INFO: Info = Info {
        name: "walk",
        rules_version: 1,
        oldest_rules_version: 1,
        has_chance: false,
        has_draws: false,
        options: &[OptionSpec::new("legs", &["2", "4"])],
        assets: Assets::NONE,
    };

    const TEXT: &str = r#"{"seed": 1, "sets": [
        {"options": {}, "weights": {"height": 1, "speed": 0.5}},
        {"options": {"legs": "4"}, "loss": 0.2, "weights": {"speed": 2, "height": -1}}
    ]}"#;

    fn options(text: &str) -> Options {
        Options::parse(&INFO, text).expect("valid options")
    }

    #[test]
    fn the_set_that_says_most_about_the_options_is_taken() {
        let weights = Weights::parse(TEXT, &["height", "speed"]).expect("a good file");
        assert_eq!(weights.under(&options("legs=2"))[..3], [1.0, 0.5, 0.0]);
        assert_eq!(weights.under(&options("legs=4"))[..3], [-1.0, 2.0, 0.0]);
    }

    #[test]
    fn what_is_wrong_is_named() {
        let fault = |text, features: &[&str]| Weights::parse(text, features).expect_err("a bad file").to_string();
        assert!(fault("{", &[]).starts_with("weights.json: EOF"));
        assert!(fault(TEXT, &["height"]).ends_with(r#"no feature is called "speed""#));
        assert!(fault(TEXT, &["height", "speed", "age"]).ends_with(r#"a weight for "age" is missing"#));
    }
}
