//! The game's own evaluation as the prior of a search, beside rollouts.

use std::convert::Infallible;

use tavola_core::Evaluate;

use super::evaluator::{Evaluation, Evaluator, Leaf, SharedEvaluator};
use super::settings::Guidance;
use crate::limits::{Limits, Rollouts};

/// The least share that counts: beyond it a position is won or lost.
const LEAST: f32 = 3e-4;

/// Guides a search by the game's own evaluation. The prior of an action is in proportion to a power of the odds after it.
pub(crate) struct OwnEvaluation<'a, G> {
    game: &'a G,
    power: f32,
}

impl<'a, G: Evaluate> OwnEvaluation<'a, G> {
    /// The evaluation of the game, unless the limits or the game search without a prior.
    pub(crate) fn new(game: &'a G, limits: &Limits) -> Option<Self> {
        let of_game = if limits.rollouts == Rollouts::Policy { game.prior() } else { None };
        let power = limits.prior.or(of_game).filter(|&power| power > 0.0)?;
        Some(Self { game, power })
    }
}

impl<G: Evaluate> SharedEvaluator<G> for OwnEvaluation<'_, G> {
    fn for_thread(&self) -> Box<dyn Evaluator<G, Error = Infallible> + '_> {
        Box::new(Thread { of: self, action_values: Vec::new() })
    }

    /// Measured with Montana: docs/explanation/learning.md.
    fn guidance(&self) -> Guidance {
        Guidance { c_puct: 0.6, rollout_weight: if self.game.prefers_evaluation() { 0.0 } else { 1.0 } }
    }
}

struct Thread<'a, G> {
    of: &'a OwnEvaluation<'a, G>,
    action_values: Vec<f32>,
}

impl<G: Evaluate> Evaluator<G> for Thread<'_, G> {
    type Error = Infallible;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Infallible> {
        let &OwnEvaluation { game, power } = self.of;
        for (leaf, Evaluation { priors, shares }) in leaves.iter().zip(evaluations) {
            self.action_values.clear();
            game.action_values(leaf.state, leaf.actions, &mut self.action_values);
            for (prior, share) in priors.iter_mut().zip(&self.action_values) {
                let share = share.clamp(LEAST, 1.0 - LEAST);
                *prior = (share / (1.0 - share)).powf(power);
            }
            shares.copy_from_slice(&game.estimate(leaf.state)[..shares.len()]);
        }
        Ok(())
    }
}
