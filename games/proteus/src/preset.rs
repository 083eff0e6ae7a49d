//! The option `rules`: the three readings of the rules.

use tavola_core::Options;

/// The value of the option `rules`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preset {
    /// Every colour must be able to turn up in the placement (rules 10).
    Article,
    /// The source document word by word: a colour may be missing in the movement phase (rules 11).
    Literal,
    /// The maker's own page: one match per colour, and any action may decide the game (rules 9, 13).
    Kadon,
}

impl Preset {
    pub(crate) fn new(options: &Options) -> Self {
        match options.get("rules") {
            "literal" => Self::Literal,
            "kadon" => Self::Kadon,
            _ => Self::Article,
        }
    }
}
