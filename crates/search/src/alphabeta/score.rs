//! The value of a position for a seat, as an integer.

use std::ops::Neg;

/// The natural logarithm of a seat's odds in units of 1/[`UNIT`]. Forced wins and losses lie beyond, ordered by depth.
pub(crate) type Score = i32;

/// The score of an immediate win, minus 1 for each action before it.
pub(crate) const WIN: Score = 32_000;

/// The lowest score of a forced win.
pub(crate) const WON: Score = 31_000;

/// The highest score of a forced loss.
pub(crate) const LOST: Score = -WON;

/// Above all scores.
pub(crate) const INFINITE: Score = 32_001;

/// The score of a win that was forced in the same position with another history: likely, but not proven.
const LIKELY: Score = 30_000;

/// The maximum absolute value of an estimate.
const MOST: Score = 12_000;

/// The score of a factor of e in the odds.
const UNIT: f32 = 1_000.0;

/// The score of odds, from their natural logarithm.
#[inline]
pub(crate) fn of_odds(logarithm: f32) -> Score {
    (logarithm * UNIT).clamp(-MOST as f32, MOST as f32) as Score
}

/// The score of a draw for a seat with contempt.
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

/// The score of a forced win or loss where it is not proven.
pub(crate) fn unproven(score: Score) -> Score {
    match score {
        WON.. => LIKELY,
        ..=LOST => -LIKELY,
        _ => score,
    }
}

/// A score, and whether it is proven: no estimate enters it, and a deeper search would not change it.
///
/// Whether it is exact or a bound follows from the window of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SearchedValue {
    pub(crate) score: Score,
    pub(crate) sure: bool,
}

impl Neg for SearchedValue {
    type Output = Self;

    fn neg(self) -> Self {
        Self { score: -self.score, ..self }
    }
}
