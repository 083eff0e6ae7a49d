//! Search with an evaluator whose game is type-erased.

use std::sync::Arc;

use tavola_core::{CancelToken, Complete};
use tavola_search::puct::{self, BatchSearch, Evaluation, Evaluator, Leaf, Settings};

use crate::any_state::AnyState;
use crate::search_result::SearchResult;

/// A position to evaluate, in which a seat acts.
#[derive(Clone)]
pub struct AnyLeaf {
    /// The position.
    pub state: AnyState,
    /// The numbers of its legal actions, ascending.
    pub ids: Vec<usize>,
}

/// An evaluation failed. The evaluator knows the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// Evaluates positions of any game in batches.
pub trait AnyEvaluator {
    /// Evaluates every leaf of a batch. The batch is never empty. The priors of an evaluation are in the order of the ids.
    ///
    /// # Errors
    /// [`Failed`] ends the search.
    fn evaluate(&mut self, leaves: Vec<AnyLeaf>, evaluations: &mut [Evaluation<'_>]) -> Result<(), Failed>;

    /// The search calls this at least every few thousand simulations.
    ///
    /// # Errors
    /// [`Failed`] ends the search.
    fn poll(&mut self) -> Result<(), Failed> {
        Ok(())
    }
}

/// The training target of a position, by numbers of actions.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// The probability of each legal action, 1 in sum; empty if no seat acts.
    pub policy: Vec<(usize, f32)>,
    /// The expected share of the game of each seat, from 0 to 1 and 1 in sum.
    pub shares: Vec<f32>,
}

/// The searches of one game with an evaluator.
///
/// Every method panics if a state is of another game or options.
pub trait AnyPuct {
    /// Searches a position.
    ///
    /// # Errors
    /// [`Failed`] from the evaluator.
    fn search(
        &self,
        state: &AnyState,
        settings: &Settings,
        evaluator: &mut dyn AnyEvaluator,
        stop: &CancelToken,
    ) -> Result<SearchResult, Failed>;

    /// Searches many positions together, each with its own maximum number of simulations. Returns their training targets
    /// at a temperature.
    ///
    /// # Errors
    /// [`Failed`] from the evaluator.
    fn targets(
        &self,
        states: &[&AnyState],
        nodes: Vec<u32>,
        temperature: f32,
        settings: &Settings,
        evaluator: &mut dyn AnyEvaluator,
        stop: &CancelToken,
    ) -> Result<Vec<Target>, Failed>;
}

/// The searches of a typed game.
pub(crate) struct TypedPuct<'a, G> {
    pub(crate) game: &'a Arc<G>,
}

/// The state of a typed game.
fn typed<G: Complete>(state: &AnyState) -> G::State {
    state.as_any().downcast_ref::<G::State>().expect("the state is of this game").clone()
}

impl<G: Complete> AnyPuct for TypedPuct<'_, G> {
    fn search(
        &self,
        state: &AnyState,
        settings: &Settings,
        evaluator: &mut dyn AnyEvaluator,
        stop: &CancelToken,
    ) -> Result<SearchResult, Failed> {
        let mut search = BatchSearch::new(&**self.game, vec![typed::<G>(state)], settings.clone());
        search.run(&mut TypedEvaluator { puct: self, evaluator }, stop)?;
        Ok(SearchResult::new(&**self.game, search.analysis(0)))
    }

    fn targets(
        &self,
        states: &[&AnyState],
        nodes: Vec<u32>,
        temperature: f32,
        settings: &Settings,
        evaluator: &mut dyn AnyEvaluator,
        stop: &CancelToken,
    ) -> Result<Vec<Target>, Failed> {
        let roots = states.iter().map(|state| typed::<G>(state)).collect();
        let mut search = BatchSearch::new(&**self.game, roots, settings.clone()).with_nodes(nodes);
        search.run(&mut TypedEvaluator { puct: self, evaluator }, stop)?;
        let target = |root| {
            let puct::Target { policy, shares } = search.target(root, temperature);
            Target {
                policy: policy.into_iter().map(|(action, part)| (self.game.index(action), part)).collect(),
                shares,
            }
        };
        Ok((0..states.len()).map(target).collect())
    }
}

/// Gives an evaluator of any game the leaves of one.
struct TypedEvaluator<'a, 'g, G> {
    puct: &'a TypedPuct<'g, G>,
    evaluator: &'a mut dyn AnyEvaluator,
}

impl<G: Complete> Evaluator<G> for TypedEvaluator<'_, '_, G> {
    type Error = Failed;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Failed> {
        let leaf = |leaf: &Leaf<'_, G>| AnyLeaf {
            state: AnyState::new(Arc::clone(self.puct.game), leaf.state.clone()),
            ids: leaf.actions.iter().map(|&action| self.puct.game.index(action)).collect(),
        };
        self.evaluator.evaluate(leaves.iter().map(leaf).collect(), evaluations)
    }

    fn poll(&mut self) -> Result<(), Failed> {
        self.evaluator.poll()
    }
}
