//! The value of a position for each seat, without play.
//!
//! A game computes features for each seat: numbers that a player would look at. Their weighted sum is the logit of the
//! seat, and the softmax of the logits is the expected share of each seat. For two seats this is the logistic function
//! of the difference. `tavola fit` fits the weights to games that the engine played against itself.

mod inputs;
pub mod regression;
mod solution;
pub mod weights;

use std::path::Path;

pub use inputs::{looks, terms};
pub use solution::{PerfectResult, Solving, solved_actions};

use crate::cancel::CancelToken;
use crate::game::{Actor, Game, MAX_SEATS, Seat};
use crate::info::Options;
use crate::text::Text;

/// The maximum number of features of a game.
pub const MAX_FEATURES: usize = 32;

/// One number per feature, in the order of [`Evaluate::FEATURES`], and 0 beyond them.
pub type Features = [f32; MAX_FEATURES];

/// These numbers, padded with 0.
#[inline]
pub fn features<const N: usize>(values: [f32; N]) -> Features {
    const { assert!(N <= MAX_FEATURES) };
    let mut all = [0.0; MAX_FEATURES];
    all[..N].copy_from_slice(&values);
    all
}

/// The number of products that the processor can add in parallel.
const LANES: usize = 8;

/// The logit of a seat: the sum of the features, each times its weight.
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

/// The value of a position.
pub trait Evaluate: Game {
    /// The names of the features in `snake_case`; none if the game has no evaluation.
    const FEATURES: &'static [&'static str] = &[];

    /// The features of a seat. Callers ask only before the end of the game.
    ///
    /// A feature has the same meaning for every seat.
    fn features(&self, _state: &Self::State, _seat: Seat) -> Features {
        [0.0; MAX_FEATURES]
    }

    /// The weight of each feature, for the game's options.
    fn weights(&self) -> &Features {
        &[0.0; MAX_FEATURES]
    }

    /// Whether the tree search is stronger with [`estimate`](Self::estimate) and [`action_values`](Self::action_values)
    /// than with rollouts, as measured for each game.
    fn prefers_evaluation(&self) -> bool {
        false
    }

    /// The power of the odds after each action that makes the strongest prior of the tree search, as measured; `None` if it
    /// is stronger without one.
    fn prior(&self) -> Option<f32> {
        None
    }

    /// The result of a position before the end if all seats play perfectly; `None` if no solution of the game tells, or only
    /// after a search.
    fn solved(&self, _state: &Self::State) -> Option<PerfectResult> {
        None
    }

    /// Solves the game with these options, and writes the solution to a file.
    ///
    /// # Errors
    /// A text of the core, with the reason: no method solves the game, a file cannot be written, or the work was cancelled.
    fn solve(&self, _options: &Options, _work: &mut Solving<'_>) -> Result<(), Text> {
        Err(Text::new("solution.none"))
    }

    /// The game with a solution that [`solve`](Self::solve) wrote, so that it knows [perfect play](Self::perfect_actions).
    ///
    /// # Errors
    /// A text of the core, with the reason: the file cannot be read, is not of this game with these options, or is damaged.
    fn with_solution(&self, _options: &Options, _file: &Path) -> Result<Self, Text> {
        Err(Text::new("solution.none"))
    }

    /// The actions with the best result by the [solution](Self::with_solution): those that win fastest, keep a draw, or lose
    /// last. All legal actions without a solution, or if the work is cancelled.
    fn perfect_actions(&self, state: &Self::State, _stop: &CancelToken) -> Vec<Self::Action> {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        actions
    }

    /// The weighted features of each seat: the logarithms of the odds, up to a constant that all seats share.
    ///
    /// A game overrides this if it is faster to compute all seats together.
    #[inline]
    fn logits(&self, state: &Self::State) -> [f32; MAX_SEATS] {
        let mut logits = [0.0; MAX_SEATS];
        for (seat, standing) in (0..).zip(&mut logits[..self.seats()]) {
            *standing = weighted(&self.features(state, seat), self.weights());
        }
        logits
    }

    /// The expected share of each seat, from 0 to 1 and 1 in sum. Callers ask only before the end of the game.
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

    /// A hash of everything that determines the value of a position. States that differ only in their history may share
    /// it if the history does not change the best play. They have the same legal actions.
    ///
    /// It is the key of alpha-beta's transposition table. Proven entries also compare [`Game::key`].
    fn evaluation_key(&self, state: &Self::State) -> u64 {
        self.key(state)
    }

    /// Whether alpha-beta is stronger here than the tree search, as measured. Only for games of two seats without
    /// chance.
    fn prefers_alpha_beta(&self, _state: &Self::State) -> bool {
        false
    }

    /// Appends the expected share of the seat to act after each of its actions. The tree search visits the actions in
    /// descending order of these values.
    fn action_values(&self, state: &Self::State, actions: &[Self::Action], action_values: &mut Vec<f32>) {
        let Actor::Seat(seat) = self.to_act(state) else { return };
        let mut after = state.clone();
        action_values.extend(actions.iter().map(|&action| {
            after.clone_from(state);
            self.play_unchecked(&mut after, action);
            match self.outcome(&after) {
                Some(outcome) => outcome.share(seat, self.seats()) as f32,
                None => self.estimate(&after)[usize::from(seat)],
            }
        }));
    }
}
