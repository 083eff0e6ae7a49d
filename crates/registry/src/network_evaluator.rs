//! The evaluator of a search that asks a neural network.

use tavola_core::Features;
use tavola_net::{Inputs, Network, Scratch};
use tavola_search::puct::Evaluation;

use crate::any_puct::{AnyEvaluator, AnyLeaf, Failed};
use crate::erased::AnyState;

/// Evaluates positions with a network for their game and options.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator<'a> {
    network: &'a Network,
    weights: Features,
    observation: Vec<u8>,
    terms: Vec<f32>,
    looks: Vec<f32>,
    scratch: Scratch,
}

impl<'a> NetworkEvaluator<'a> {
    /// The evaluator of a network.
    pub fn new(network: &'a Network) -> Self {
        let shape = network.shape();
        Self {
            network,
            weights: shape.weights(),
            observation: vec![0; shape.inputs],
            terms: vec![0.0; shape.terms()],
            looks: Vec::new(),
            scratch: Scratch::default(),
        }
    }

    /// Evaluates a position in which a seat acts.
    ///
    /// # Panics
    /// If the position is of another game or options, or no seat acts.
    pub fn evaluate_one(&mut self, state: &AnyState, ids: &[usize], priors: &mut [f32], shares: &mut [f32]) {
        let seat = state.to_act().seat().expect("a seat acts");
        state.observe(seat, &mut self.observation);
        if !self.terms.is_empty() {
            state.terms(&self.weights, &mut self.terms);
        }
        if self.network.shape().looks {
            self.looks.resize(ids.len(), 0.0);
            state.looks(ids, &self.weights, &mut self.looks);
        }
        let inputs = Inputs { observation: &self.observation, terms: &self.terms, looks: &self.looks };
        self.network.evaluate(&inputs, seat, ids, &mut self.scratch, priors, shares);
    }
}

impl AnyEvaluator<AnyState> for NetworkEvaluator<'_> {
    fn evaluate(&mut self, leaves: Vec<AnyLeaf<AnyState>>, evaluations: &mut [Evaluation<'_>]) -> Result<(), Failed> {
        for (leaf, evaluation) in leaves.iter().zip(evaluations) {
            self.evaluate_one(&leaf.state, &leaf.ids, evaluation.priors, evaluation.shares);
        }
        Ok(())
    }
}
