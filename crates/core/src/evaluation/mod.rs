//! What a position is worth to each seat, told without playing on.
//!
//! A game names its features, numbers that a player would look at, and counts them for each seat. The weighted sum is
//! the seat's standing, and the logits' softmax is what the seats can expect: at two seats the logistic function of
//! their difference. The weights are fitted to games that the engine played against itself (`tavola fit`).

pub mod regression;
pub mod weights;

use crate::game::{Actor, Game, MAX_SEATS, Seat};

/// More features than this no game has.
pub const MAX_FEATURES: usize = 32;

/// One number per feature, in the order of [`Evaluate::FEATURES`], and 0 beyond them.
pub type Features = [f32; MAX_FEATURES];

/// These numbers, and 0 beyond them.
#[inline]
pub fn features<const N: usize>(values: [f32; N]) -> Features {
    const { assert!(N <= MAX_FEATURES) };
    let mut all = [0.0; MAX_FEATURES];
    all[..N].copy_from_slice(&values);
    all
}

/// How many products are added up side by side.
const LANES: usize = 8;

/// A seat's standing: the sum of the features, each times its weight.
#[inline]
pub fn weighted(values: &Features, weights: &Features) -> f32 {
    let mut sums = [0.0; LANES];
    for (values, weights) in values.chunks_exact(LANES).zip(weights.chunks_exact(LANES)) {
        for (sum, (value, weight)) in sums.iter_mut().zip(values.iter().zip(weights)) {
            *sum += value * weight;
        }
    }
    sums.iter().sum()
}

/// What a position is worth.
pub trait Evaluate: Game {
    /// What the features are called, in lower case and joined by underscores; none if the game has no evaluation.
    const FEATURES: &'static [&'static str] = &[];

    /// What the features are for a seat; asked for only before the game's end.
    ///
    /// A feature says the same of every seat: whatever is good for one is counted alike for the other.
    fn features(&self, _state: &Self::State, _seat: Seat) -> Features {
        [0.0; MAX_FEATURES]
    }

    /// How much each feature adds to a seat's standing, under the game's options.
    fn weights(&self) -> &Features {
        &[0.0; MAX_FEATURES]
    }

    /// Whether the tree search does better to ask for [`estimate`](Self::estimate) and [`action_values`](Self::action_values)
    /// than to play games out: measured, for each game.
    fn prefers_evaluation(&self) -> bool {
        false
    }

    /// Each seat's weighted features: the higher, the better; the logarithms of the odds, up to what all seats share.
    ///
    /// Overridden where the seats' features are found faster together.
    #[inline]
    fn logits(&self, state: &Self::State) -> [f32; MAX_SEATS] {
        let mut logits = [0.0; MAX_SEATS];
        for (seat, standing) in (0..).zip(&mut logits[..self.seats()]) {
            *standing = weighted(&self.features(state, seat), self.weights());
        }
        logits
    }

    /// What each seat can expect, from 0 to 1 and 1 in sum; asked for only before the game's end.
    #[inline]
    fn estimate(&self, state: &Self::State) -> [f32; MAX_SEATS] {
        let mut shares = self.logits(state);
        let seats = &mut shares[..self.seats()];
        let best = seats.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut sum = 0.0;
        for share in seats.iter_mut() {
            *share = (*share - best).exp();
            sum += *share;
        }
        for share in seats {
            *share /= sum;
        }
        shares
    }

    /// A hash of what the worth of a position hangs on: states that differ only in what the rules look back on may share
    /// it, as long as nobody would play otherwise because of that. They have the same legal actions.
    ///
    /// Alpha-beta knows by it what it has seen. What it takes for certain it still tells apart by the key.
    fn evaluation_key(&self, state: &Self::State) -> u64 {
        self.key(state)
    }

    /// Whether alpha-beta finds better actions here than the tree search: measured. Only of games of two seats without
    /// chance.
    fn prefers_alpha_beta(&self, _state: &Self::State) -> bool {
        false
    }

    /// Appends what the seat to act can expect after each of its actions: the order in which the tree search looks at
    /// them.
    fn action_values(&self, state: &Self::State, actions: &[Self::Action], action_values: &mut Vec<f32>) {
        let Actor::Seat(seat) = self.to_act(state) else { return };
        let mut after = state.clone();
        action_values.extend(actions.iter().map(|&action| {
            after.clone_from(state);
            self.play_unchecked(&mut after, action);
            match self.outcome(&after) {
                Some(outcome) => outcome.share(seat, self.seats()),
                None => self.estimate(&after)[usize::from(seat)],
            }
        }));
    }
}
