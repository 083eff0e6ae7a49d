//! What a position is worth to a seat, as a whole number.

use std::ops::Neg;

/// The natural logarithm of a seat's odds, in parts of [`UNIT`]; and beyond all of them, wins and losses by how soon they come.
pub(crate) type Score = i32;

/// A win at once; with each action before it, one less.
pub(crate) const WIN: Score = 32_000;

/// From here on a score says that the game is won, by force.
pub(crate) const WON: Score = 31_000;

/// Down from here, that it is lost.
pub(crate) const LOST: Score = -WON;

/// More than anything is worth.
pub(crate) const INFINITE: Score = 32_001;

/// A win that was forced in the same position with another past: likely one here, but no proof.
const LIKELY: Score = 30_000;

/// No estimate is further from even than this.
const MOST: Score = 12_000;

/// So much is a factor of e in the odds.
const UNIT: f32 = 1_000.0;

/// The score for these odds, given by their natural logarithm.
pub(crate) fn of_odds(logarithm: f32) -> Score {
    (logarithm * UNIT).clamp(-MOST as f32, MOST as f32) as Score
}

/// What a draw is worth to a seat that counts such a part of its half as lost.
pub(crate) fn of_draw(contempt: f32) -> Score {
    of_odds(((1.0 - contempt) / (1.0 + contempt)).ln())
}

/// The share of the game, from 0 to 1, that a score stands for.
pub(crate) fn share(score: Score) -> f64 {
    match score {
        WON.. => 1.0,
        ..=LOST => 0.0,
        _ => 1.0 / (1.0 + (-f64::from(score) / f64::from(UNIT)).exp()),
    }
}

/// What becomes of a forced win or loss where it was not proven.
pub(crate) fn unproven(score: Score) -> Score {
    match score {
        WON.. => LIKELY,
        ..=LOST => -LIKELY,
        _ => score,
    }
}

/// A score, and whether it is certain: then no estimate is in it, and no depth would change it.
///
/// What it says, exactly this or at least or at most so much, follows from the window that was searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    pub(crate) score: Score,
    pub(crate) sure: bool,
}

impl Neg for Value {
    type Output = Self;

    fn neg(self) -> Self {
        Self { score: -self.score, ..self }
    }
}
