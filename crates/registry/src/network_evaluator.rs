//! The evaluator of a search that asks a neural network.

use tavola_core::Complete;
use tavola_core::observe::observe_flat;
use tavola_net::{Network, Scratch};
use tavola_search::puct::Evaluation;

use crate::any_puct::{AnyEvaluator, AnyLeaf, Failed};
use crate::erased::AnyState;

/// Evaluates positions with a network for their game and options.
#[derive(Clone, Debug)]
pub struct NetworkEvaluator<'a> {
    network: &'a Network,
    observation: Vec<u8>,
    scratch: Scratch,
}

impl<'a> NetworkEvaluator<'a> {
    /// The evaluator of a network.
    pub fn new(network: &'a Network) -> Self {
        Self { network, observation: vec![0; network.shape().inputs], scratch: Scratch::default() }
    }

    /// Evaluates a position in which a seat acts.
    ///
    /// # Panics
    /// If the position is of another game or options, or no seat acts.
    pub fn evaluate_one(&mut self, state: &AnyState, ids: &[usize], priors: &mut [f32], shares: &mut [f32]) {
        state.0.evaluate(self, ids, priors, shares);
    }

    /// Evaluates a position of a game whose type is known, in which a seat acts.
    pub(crate) fn evaluate_typed<G: Complete>(
        &mut self,
        game: &G,
        state: &G::State,
        ids: &[usize],
        priors: &mut [f32],
        shares: &mut [f32],
    ) {
        let seat = game.to_act(state).seat().expect("a seat acts");
        observe_flat(game, state, seat, &mut self.observation);
        self.network.evaluate(&self.observation, seat, ids, &mut self.scratch, priors, shares);
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
