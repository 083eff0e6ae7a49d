//! The evaluator of the leaves of a tree.

use std::convert::Infallible;

use tavola_core::Game;

use super::settings::Guidance;

/// A position to evaluate. A seat acts in it.
#[derive(Debug)]
pub struct Leaf<'a, G: Game> {
    /// The position.
    pub state: &'a G::State,
    /// Its legal actions, ascending.
    pub actions: &'a [G::Action],
}

/// The place for the result of one leaf, zero at first.
#[derive(Debug)]
pub struct Evaluation<'a> {
    /// How promising each legal action is: weights of 0 or more, in the order of the actions. Only their ratios count, and
    /// all 0 means equal weights.
    pub priors: &'a mut [f32],
    /// The expected share of the game of each seat, from 0 to 1 and 1 in sum.
    pub shares: &'a mut [f32],
}

/// Evaluates positions in batches: a neural network, or any other function.
pub trait Evaluator<G: Game> {
    /// Why an evaluation failed. The search ends and returns the error.
    type Error;

    /// Evaluates every leaf of a batch. The batch is never empty.
    ///
    /// # Errors
    /// An error of the evaluator's own.
    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Self::Error>;

    /// The search calls this at least every few thousand simulations, so that the caller can interrupt it.
    ///
    /// # Errors
    /// An error ends the search.
    fn poll(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// An evaluator for the threads of one search. Each thread gets its own, and all return the same results.
pub trait SharedEvaluator<G: Game>: Send + Sync {
    /// The evaluator of one thread.
    fn for_thread(&self) -> Box<dyn Evaluator<G, Error = Infallible> + '_>;

    /// The guidance that suits the evaluator. Limits may override it.
    fn guidance(&self) -> Guidance {
        Guidance::default()
    }
}
