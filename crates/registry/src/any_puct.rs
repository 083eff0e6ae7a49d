//! Search with an evaluator whose game is type-erased.

use std::any::Any;

use tavola_core::{CancelToken, Complete};
use tavola_search::puct::{self, BatchSearch, Evaluation, Evaluator, Leaf, Settings};

use crate::any_search::SearchResult;

/// A position to evaluate, in which a seat acts. `S` is the type-erased state.
#[derive(Clone)]
pub struct AnyLeaf<S> {
    /// The position.
    pub state: S,
    /// The numbers of its legal actions, ascending.
    pub ids: Vec<usize>,
}

/// An evaluation failed. The evaluator knows the reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Failed;

/// Evaluates positions of any game in batches.
pub trait AnyEvaluator<S> {
    /// Evaluates every leaf of a batch. The batch is never empty. The priors of an evaluation are in the order of the ids.
    ///
    /// # Errors
    /// [`Failed`] ends the search.
    fn evaluate(&mut self, leaves: Vec<AnyLeaf<S>>, evaluations: &mut [Evaluation<'_>]) -> Result<(), Failed>;

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

/// The searches of one game with an evaluator. `S` is the type-erased state.
///
/// Every method panics if a state is of another game or options.
pub trait AnyPuct<S> {
    /// Searches a position.
    ///
    /// # Errors
    /// [`Failed`] from the evaluator.
    fn search(
        &self,
        state: &S,
        settings: &Settings,
        evaluator: &mut dyn AnyEvaluator<S>,
        stop: &CancelToken,
    ) -> Result<SearchResult, Failed>;

    /// Searches many positions together, each with its own maximum number of simulations. Returns their training targets
    /// at a temperature.
    ///
    /// # Errors
    /// [`Failed`] from the evaluator.
    fn targets(
        &self,
        states: &[&S],
        nodes: Vec<u32>,
        temperature: f32,
        settings: &Settings,
        evaluator: &mut dyn AnyEvaluator<S>,
        stop: &CancelToken,
    ) -> Result<Vec<Target>, Failed>;
}

/// A game with the conversions of its states.
pub(crate) struct TypedPuct<'a, G: Complete, S> {
    pub(crate) game: &'a G,
    /// Erases the type of a state.
    pub(crate) erase: Box<dyn Fn(G::State) -> S + 'a>,
    /// Restores it.
    pub(crate) restore: fn(&S) -> &dyn Any,
}

impl<G: Complete, S> TypedPuct<'_, G, S> {
    fn state(&self, state: &S) -> G::State {
        (self.restore)(state).downcast_ref::<G::State>().expect("the state is of this game").clone()
    }
}

impl<G: Complete, S> AnyPuct<S> for TypedPuct<'_, G, S> {
    fn search(
        &self,
        state: &S,
        settings: &Settings,
        evaluator: &mut dyn AnyEvaluator<S>,
        stop: &CancelToken,
    ) -> Result<SearchResult, Failed> {
        let mut search = BatchSearch::new(self.game, vec![self.state(state)], settings.clone());
        search.run(&mut TypedEvaluator { puct: self, evaluator }, stop)?;
        Ok(SearchResult::new(self.game, search.analysis(0)))
    }

    fn targets(
        &self,
        states: &[&S],
        nodes: Vec<u32>,
        temperature: f32,
        settings: &Settings,
        evaluator: &mut dyn AnyEvaluator<S>,
        stop: &CancelToken,
    ) -> Result<Vec<Target>, Failed> {
        let roots = states.iter().map(|state| self.state(state)).collect();
        let mut search = BatchSearch::new(self.game, roots, settings.clone()).with_nodes(nodes);
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
struct TypedEvaluator<'a, 'g, G: Complete, S> {
    puct: &'a TypedPuct<'g, G, S>,
    evaluator: &'a mut dyn AnyEvaluator<S>,
}

impl<G: Complete, S> Evaluator<G> for TypedEvaluator<'_, '_, G, S> {
    type Error = Failed;

    fn evaluate(&mut self, leaves: &[Leaf<'_, G>], evaluations: &mut [Evaluation<'_>]) -> Result<(), Failed> {
        let leaf = |leaf: &Leaf<'_, G>| AnyLeaf {
            state: (self.puct.erase)(leaf.state.clone()),
            ids: leaf.actions.iter().map(|&action| self.puct.game.index(action)).collect(),
        };
        self.evaluator.evaluate(leaves.iter().map(leaf).collect(), evaluations)
    }

    fn poll(&mut self) -> Result<(), Failed> {
        self.evaluator.poll()
    }
}
