//! The purpose of a network, a game with its options, the sizes of its layers, and the search that it suits.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tavola_core::observe::{Scope, Space};
use tavola_core::{Features, MAX_FEATURES, Plane};

/// The purpose of a network, a game with its options, the sizes of its layers, and the search that it suits.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shape {
    /// The name of the game.
    pub game: String,
    /// The values of all its options.
    pub options: BTreeMap<String, String>,
    /// The version of its rules.
    pub rules_version: u32,
    /// A hash of the meaning of the observation's numbers, in hexadecimal.
    pub planes: String,
    /// The numbers of the flat observation.
    pub inputs: usize,
    /// The units of the hidden layer.
    pub hidden: usize,
    /// The units of the second hidden layer, for the shares.
    pub second: usize,
    /// The seats of the game.
    pub seats: usize,
    /// The distinct actions of the game.
    pub actions: usize,
    /// The features of the game's evaluation that the network reads, with their weights as of its training.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<(String, f32)>,
    /// Whether the policy reads the evaluation after each action. It needs the features.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub looks: bool,
    /// The exploration constant of the searches that the network suits best, from 0. `None` is the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub c_puct: Option<f32>,
    /// The weight of a rollout in the value of a leaf that the network suits best, from 0 to 1. `None` is 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rollouts: Option<f32>,
    /// A line on where the network comes from.
    pub about: String,
}

/// A network is for other observations, seats, actions or features than a game has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the network is for {what} {theirs}, and the game has {ours}")]
pub struct Mismatch {
    /// What differs.
    pub what: &'static str,
    /// The network's.
    pub theirs: String,
    /// The game's.
    pub ours: String,
}

impl Shape {
    /// The inputs and outputs of each layer: input, value, shares, policy.
    ///
    /// With features the input also reads the terms, and the last output of the shares is the factor of the evaluation.
    /// With looks the last output of the policy is their factor.
    pub fn layers(&self) -> [(usize, usize); 4] {
        let shares = self.seats.saturating_add(usize::from(!self.features.is_empty()));
        let actions = self.actions.saturating_add(usize::from(self.looks));
        let inputs = self.inputs.saturating_add(self.terms());
        [(inputs, self.hidden), (self.hidden, self.second), (self.second, shares), (self.hidden, actions)]
    }

    /// The number of terms: one for each feature of each seat.
    pub fn terms(&self) -> usize {
        self.features.len().saturating_mul(self.seats)
    }

    /// The weights of the features.
    ///
    /// # Panics
    /// If there are more features than [`MAX_FEATURES`]. [`Shape::check`] compares them with those of a game.
    pub fn weights(&self) -> Features {
        let mut weights = [0.0; MAX_FEATURES];
        let used = &mut weights[..self.features.len()];
        used.iter_mut().zip(&self.features).for_each(|(weight, (_, of))| *weight = *of);
        weights
    }

    /// Compares the observations, seats, actions and features with those of the game.
    ///
    /// # Errors
    /// [`Mismatch`] with the first difference.
    pub fn check(
        &self,
        rules_version: u32,
        space: &Space,
        seats: usize,
        actions: usize,
        features: &[&str],
    ) -> Result<(), Mismatch> {
        compare("version of the rules", self.rules_version.to_string(), rules_version.to_string())?;
        self.check_space(space)?;
        compare("a number of seats of", self.seats.to_string(), seats.to_string())?;
        compare("a number of actions of", self.actions.to_string(), actions.to_string())?;
        if self.features.is_empty() {
            return Ok(());
        }
        let named: Vec<&str> = self.features.iter().map(|(name, _)| name.as_str()).collect();
        compare("an evaluation with the features", named.join(", "), features.join(", "))
    }

    /// Compares the observations with those of the game.
    ///
    /// # Errors
    /// [`Mismatch`] with the first difference.
    pub(crate) fn check_space(&self, space: &Space) -> Result<(), Mismatch> {
        compare("observations of length", self.inputs.to_string(), space.flat_len().to_string())?;
        compare("planes with the hash", self.planes.clone(), hash_of(space))
    }
}

/// Refuses a network whose property is not the game's.
fn compare(what: &'static str, theirs: String, ours: String) -> Result<(), Mismatch> {
    if theirs == ours { Ok(()) } else { Err(Mismatch { what, theirs, ours }) }
}

/// A hash of the meaning of the numbers of a flat observation.
pub(crate) fn hash_of(space: &Space) -> String {
    let plane = |plane: &Plane| {
        let scope = if plane.scope == Scope::Cell { "cells" } else { "scalar" };
        format!("{} {scope} {}", plane.name, plane.high)
    };
    let planes: Vec<String> = space.planes.iter().map(plane).collect();
    let text = format!("{:?} {}", space.board, planes.join(";"));
    format!("{:016x}", checksum(text.as_bytes()))
}

/// A checksum of 64 bits (FNV-1a).
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
