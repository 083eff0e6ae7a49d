//! Searching, in text and numbers.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use tavola_core::Complete;
use tavola_search::{Analysis, Limits, Method, Purpose, Rollouts, Searcher, Unsuited};

use crate::erased::AnyState;

/// What a search may use.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// How to look ahead.
    pub method: Method,
    /// How many actions to look ahead: a limit of alpha-beta.
    pub depth: Option<u32>,
    /// How many nodes to look at.
    pub nodes: Option<u64>,
    /// How long to think.
    pub seconds: Option<f64>,
    /// How many threads share the tree.
    pub threads: NonZeroUsize,
    /// What all random choices follow from.
    pub seed: u64,
    /// Whether games are played out with all actions equally likely, instead of with the game's own sense.
    pub uniform: bool,
    /// What the search is for.
    pub purpose: Purpose,
    /// As [`tavola_search::Limits::sight`].
    pub sight: u32,
    /// How many bytes the nodes of the tree may take.
    pub memory: u64,
}

impl SearchLimits {
    pub(crate) fn typed(&self) -> Limits {
        Limits {
            method: self.method,
            depth: self.depth,
            nodes: self.nodes,
            seconds: self.seconds,
            threads: self.threads,
            seed: self.seed,
            rollouts: if self.uniform { Rollouts::Uniform } else { Rollouts::Sensible },
            purpose: self.purpose,
            sight: self.sight,
            memory: self.memory,
        }
    }
}

/// What a search found out, in text.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The token of the action to play.
    pub best: Option<String>,
    /// Every action, the best first.
    pub lines: Vec<Line>,
    /// How many nodes were looked at.
    pub nodes: u64,
    /// How many nodes the tree has.
    pub tree: u64,
    /// How many bytes they take.
    pub bytes: u64,
    /// Whether the tree reached the limit of its memory and could grow no more.
    pub full: bool,
    /// How long it took.
    pub seconds: f64,
}

/// An action and what was found out about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// The action's token.
    pub action: String,
    /// What each seat can expect, from 0 to 1 and 1 in sum.
    pub shares: Vec<f64>,
    /// Between what bounds each seat's share lies, as far as the scatter of the simulations tells.
    pub intervals: Vec<(f64, f64)>,
    /// How many simulations began with it.
    pub visits: u32,
    /// The action and what would follow it.
    pub variation: Vec<String>,
    /// Whether the result is certain.
    pub proven: bool,
}

impl SearchResult {
    pub(crate) fn new<G: Complete>(game: &G, analysis: Analysis<G::Action>) -> Self {
        let token = |action| game.token(action);
        Self {
            best: analysis.best.map(token),
            lines: analysis
                .lines
                .into_iter()
                .map(|line| Line {
                    action: token(line.action),
                    shares: line.shares,
                    intervals: line.intervals,
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

/// A search that keeps its tree from one position of a game to the next, whatever the game's type.
pub struct AnySearcher(Box<dyn ErasedSearcher>);

impl AnySearcher {
    pub(crate) fn new<G: Complete>(game: Arc<G>) -> Self {
        Self(Box::new(TypedSearcher { searcher: Searcher::new(Arc::clone(&game)), game }))
    }

    /// Looks for the best action in a state of the game, under the same options; `None` for a state of another game.
    ///
    /// # Errors
    /// [`Unsuited`] where the game cannot be searched by the method.
    pub fn search(
        &mut self,
        state: &AnyState,
        limits: &SearchLimits,
        stop: &AtomicBool,
    ) -> Result<Option<SearchResult>, Unsuited> {
        self.0.search(state, limits, stop)
    }

    /// Forgets all that was found out.
    pub fn forget(&mut self) {
        self.0.forget();
    }
}

trait ErasedSearcher: Send {
    fn search(
        &mut self,
        state: &AnyState,
        limits: &SearchLimits,
        stop: &AtomicBool,
    ) -> Result<Option<SearchResult>, Unsuited>;
    fn forget(&mut self);
}

struct TypedSearcher<G: Complete> {
    game: Arc<G>,
    searcher: Searcher<G>,
}

impl<G: Complete> ErasedSearcher for TypedSearcher<G> {
    fn search(
        &mut self,
        state: &AnyState,
        limits: &SearchLimits,
        stop: &AtomicBool,
    ) -> Result<Option<SearchResult>, Unsuited> {
        let limits = limits.typed();
        limits.suit(&*self.game)?;
        let Some(state) = state.as_any().downcast_ref() else { return Ok(None) };
        Ok(Some(SearchResult::new(&*self.game, self.searcher.search(state, &limits, stop))))
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }
}
