//! A network that the threads of a tree search share.

use std::convert::Infallible;
use std::sync::Arc;

use tavola_core::observe::observe_flat;
use tavola_core::{Complete, Features, Seat, evaluation};
use tavola_net::Network;
use tavola_search::puct::{Evaluation, Evaluator, Guidance, Leaf, SharedEvaluator};

use crate::position_evaluator::{NetworkInput, PositionEvaluator};

/// A network for a game whose type is known.
pub(crate) struct SharedNetwork<G> {
    pub(crate) game: Arc<G>,
    pub(crate) network: Arc<Network>,
}

impl<G: Complete> SharedEvaluator<G> for SharedNetwork<G> {
    fn for_thread(&self) -> Box<dyn Evaluator<G, Error = Infallible> + '_> {
        Box::new(ThreadEvaluator {
            game: &*self.game,
            evaluator: PositionEvaluator::new(&self.network),
            ids: Vec::new(),
        })
    }

    fn guidance(&self) -> Guidance {
        let (shape, usual) = (self.network.shape(), Guidance::default());
        Guidance {
            c_puct: shape.c_puct.unwrap_or(usual.c_puct),
            rollout_weight: shape.rollouts.unwrap_or(usual.rollout_weight),
        }
    }
}

/// The evaluator of one thread.
struct ThreadEvaluator<'a, G> {
    game: &'a G,
    evaluator: PositionEvaluator<'a>,
    ids: Vec<usize>,
}

impl<G: Complete> Evaluator<G> for ThreadEvaluator<'_, G> {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Infallible> {
        for (leaf, evaluation) in leaves.iter().zip(evaluations) {
            self.ids.clear();
            self.ids.extend(leaf.actions.iter().map(|&action| self.game.index(action)));
            let Evaluation { priors, shares } = evaluation;
            let position = TypedInput { game: self.game, leaf };
            self.evaluator.evaluate(&position, &self.ids, priors, shares);
        }
        Ok(())
    }
}

/// A position of a game whose type is known.
struct TypedInput<'a, 'l, G: Complete> {
    game: &'a G,
    leaf: &'a Leaf<'l, G>,
}

impl<G: Complete> NetworkInput for TypedInput<'_, '_, G> {
    fn seat(&self) -> Seat {
        self.game.to_act(self.leaf.state).seat().expect("a seat acts")
    }

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        observe_flat(self.game, self.leaf.state, seat, out);
    }

    fn terms(&self, weights: &Features, terms: &mut [f32]) {
        evaluation::terms(self.game, self.leaf.state, weights, self.seat(), terms);
    }

    fn looks(&self, _: &[usize], weights: &Features, looks: &mut [f32]) {
        evaluation::looks(self.game, self.leaf.state, self.leaf.actions.iter().copied(), weights, looks);
    }
}
