//! The evaluator of a search that asks a neural network.

use tavola_core::{Features, Seat};
use tavola_net::Network;
use tavola_search::puct::Evaluation;

use crate::any_puct::{AnyEvaluator, AnyLeaf, Failed};
use crate::any_state::AnyState;
use crate::position_evaluator::{NetworkInput, PositionEvaluator};

/// Evaluates positions with a network for their game and options.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator<'a>(PositionEvaluator<'a>);

impl<'a> NetworkEvaluator<'a> {
    /// The evaluator of a network.
    pub fn new(network: &'a Network) -> Self {
        Self(PositionEvaluator::new(network))
    }

    /// Evaluates a position in which a seat acts.
    ///
    /// # Panics
    /// If the position is of another game or options, or no seat acts.
    pub fn evaluate_one(&mut self, state: &AnyState, ids: &[usize], priors: &mut [f32], shares: &mut [f32]) {
        self.0.evaluate(state, ids, priors, shares);
    }
}

impl NetworkInput for AnyState {
    fn seat(&self) -> Seat {
        self.to_act().seat().expect("a seat acts")
    }

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        (**self).observe(seat, out);
    }

    fn terms(&self, weights: &Features, terms: &mut [f32]) {
        (**self).terms(weights, terms);
    }

    fn looks(&self, ids: &[usize], weights: &Features, looks: &mut [f32]) {
        (**self).looks(ids, weights, looks);
    }
}

impl AnyEvaluator for NetworkEvaluator<'_> {
    fn evaluate(&mut self, leaves: Vec<AnyLeaf>, evaluations: &mut [Evaluation<'_>]) -> Result<(), Failed> {
        for (leaf, evaluation) in leaves.iter().zip(evaluations) {
            self.evaluate_one(&leaf.state, &leaf.ids, evaluation.priors, evaluation.shares);
        }
        Ok(())
    }
}
