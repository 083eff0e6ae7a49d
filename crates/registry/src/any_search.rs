//! Search results in text and numbers, and the searcher of a type-erased game.

use std::sync::Arc;

use tavola_core::{CancelToken, Complete};
use tavola_net::Network;
use tavola_search::puct::SharedEvaluator;
use tavola_search::{Analysis, Limits, Searcher, Unsuitable};

use crate::any_state::AnyState;
use crate::shared_network::SharedNetwork;

/// The result of a search, with tokens for actions.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The token of the action to play.
    pub best: Option<String>,
    /// The expected share of each seat, from 0 to 1 and 1 in sum.
    pub shares: Vec<f64>,
    /// Every action, the best first.
    pub lines: Vec<Line>,
    /// The policy as a training target: the number of each action with its probability, 1 in sum. Empty if no seat acts.
    pub policy: Vec<(usize, f32)>,
    /// The number of visited nodes.
    pub nodes: u64,
    /// The number of nodes of the tree.
    pub tree: u64,
    /// The size of the tree in bytes.
    pub bytes: u64,
    /// Whether the tree reached its memory limit.
    pub full: bool,
    /// The duration.
    pub seconds: f64,
}

/// An action and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The action's token.
    pub action: String,
    /// The expected share of each seat, from 0 to 1 and 1 in sum.
    pub shares: Vec<f64>,
    /// A 95 % interval of each share: the range of a much longer search.
    pub intervals: Vec<(f64, f64)>,
    /// The sampling error of each share, as the half-width of a 95 % interval.
    pub margins: Vec<f64>,
    /// The number of simulations that began with it.
    pub visits: u32,
    /// The action and the best actions after it.
    pub variation: Vec<String>,
    /// Whether the result is proven.
    pub proven: bool,
}

impl SearchResult {
    pub(crate) fn new<G: Complete>(game: &G, analysis: Analysis<G::Action>) -> Self {
        let token = |action| String::from(game.token(action));
        let actions = analysis.lines.iter().filter(|_| analysis.best.is_some()).map(|line| game.index(line.action));
        Self {
            policy: actions.zip(analysis.policy).collect(),
            best: analysis.best.map(token),
            shares: analysis.shares,
            lines: analysis
                .lines
                .into_iter()
                .map(|line| Line {
                    action: token(line.action),
                    shares: line.shares,
                    intervals: line.intervals,
                    margins: line.margins,
                    visits: line.visits,
                    variation: line.variation.into_iter().map(token).collect(),
                    proven: line.proven,
                })
                .collect(),
            nodes: analysis.nodes,
            tree: analysis.tree,
            bytes: analysis.bytes,
            full: analysis.full,
            seconds: analysis.seconds,
        }
    }
}

/// A search that keeps its tree from one position of a game to the next.
pub type AnySearcher = Box<dyn ErasedSearcher>;

/// A searcher of a game of any type.
pub trait ErasedSearcher: Send {
    /// Searches for the best action in a state of the same game and options; `None` for a state of another game.
    ///
    /// # Errors
    /// [`Unsuitable`] if the method does not suit the game.
    fn search(
        &mut self,
        state: &AnyState,
        limits: &Limits,
        stop: &CancelToken,
    ) -> Result<Option<SearchResult>, Unsuitable>;

    /// Sets the network of the leaves, for this game and options; `None` for rollouts or the game's own evaluation. A network
    /// other than before forgets all earlier searches. The method of a search with a network is the tree.
    fn set_network(&mut self, network: Option<&Arc<Network>>);

    /// Frees the tree.
    fn forget(&mut self);
}

pub(crate) struct TypedSearcher<G: Complete> {
    game: Arc<G>,
    searcher: Searcher<G>,
    network: Option<Arc<Network>>,
}

impl<G: Complete> TypedSearcher<G> {
    pub(crate) fn new(game: Arc<G>) -> Self {
        Self { searcher: Searcher::new(Arc::clone(&game)), game, network: None }
    }
}

impl<G: Complete> ErasedSearcher for TypedSearcher<G> {
    fn search(
        &mut self,
        state: &AnyState,
        limits: &Limits,
        stop: &CancelToken,
    ) -> Result<Option<SearchResult>, Unsuitable> {
        limits.check(&*self.game)?;
        let Some(state) = state.as_any().downcast_ref() else { return Ok(None) };
        Ok(Some(SearchResult::new(&*self.game, self.searcher.search(state, limits, stop))))
    }

    fn set_network(&mut self, network: Option<&Arc<Network>>) {
        let is_same = match (network, &self.network) {
            (Some(one), Some(other)) => Arc::ptr_eq(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        if is_same {
            return;
        }
        self.network = network.cloned();
        self.searcher.set_evaluator(network.map(|network| {
            let shared = SharedNetwork { game: Arc::clone(&self.game), network: Arc::clone(network) };
            Arc::new(shared) as Arc<dyn SharedEvaluator<G>>
        }));
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }
}
