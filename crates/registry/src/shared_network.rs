//! A network that the threads of a tree search share.

use std::convert::Infallible;
use std::sync::Arc;

use tavola_core::Complete;
use tavola_net::Network;
use tavola_search::puct::{Evaluation, Evaluator, Leaf, SharedEvaluator};

use crate::network_evaluator::NetworkEvaluator;

/// A network for a game whose type is known.
pub(crate) struct SharedNetwork<G> {
    pub(crate) game: Arc<G>,
    pub(crate) network: Arc<Network>,
}

impl<G: Complete> SharedEvaluator<G> for SharedNetwork<G> {
    fn for_thread(&self) -> Box<dyn Evaluator<G, Error = Infallible> + '_> {
        Box::new(ThreadEvaluator {
            game: &*self.game,
            evaluator: NetworkEvaluator::new(&self.network),
            ids: Vec::new(),
        })
    }
}

/// The evaluator of one thread.
struct ThreadEvaluator<'a, G> {
    game: &'a G,
    evaluator: NetworkEvaluator<'a>,
    ids: Vec<usize>,
}

impl<G: Complete> Evaluator<G> for ThreadEvaluator<'_, G> {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Infallible> {
        for (leaf, evaluation) in leaves.iter().zip(evaluations) {
            self.ids.clear();
            self.ids.extend(leaf.actions.iter().map(|&action| self.game.index(action)));
            let Evaluation { priors, shares } = evaluation;
            self.evaluator.evaluate_typed(self.game, leaf.state, &self.ids, priors, shares);
        }
        Ok(())
    }
}
