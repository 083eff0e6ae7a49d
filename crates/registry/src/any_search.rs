//! The searcher of a type-erased game.

use std::sync::Arc;

use tavola_core::{CancelToken, Complete};
use tavola_net::Network;
use tavola_search::puct::SharedEvaluator;
use tavola_search::{Limits, Searcher, Unsuitable};

use crate::any_state::AnyState;
use crate::search_result::SearchResult;
use crate::shared_network::SharedNetwork;

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
