//! The purpose of a network, a game with its options, and the sizes of its layers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use tavola_core::Plane;
use tavola_core::observe::{Scope, Space};

/// The purpose of a network, a game with its options, and the sizes of its layers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// A line on where the network comes from.
    pub about: String,
}

/// A network is for other observations, seats or actions than a game has.
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
    pub fn layers(&self) -> [(usize, usize); 4] {
        [(self.inputs, self.hidden), (self.hidden, self.second), (self.second, self.seats), (self.hidden, self.actions)]
    }

    /// Compares the observations, seats and actions with those of the game.
    ///
    /// # Errors
    /// [`Mismatch`] with the first difference.
    pub fn check(&self, rules_version: u32, space: &Space, seats: usize, actions: usize) -> Result<(), Mismatch> {
        let compare = |what, theirs: String, ours: String| {
            if theirs == ours { Ok(()) } else { Err(Mismatch { what, theirs, ours }) }
        };
        compare("version of the rules", self.rules_version.to_string(), rules_version.to_string())?;
        compare("observations of length", self.inputs.to_string(), space.flat_len().to_string())?;
        compare("planes with the hash", self.planes.clone(), hash_of(space))?;
        compare("a number of seats of", self.seats.to_string(), seats.to_string())?;
        compare("a number of actions of", self.actions.to_string(), actions.to_string())
    }
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
