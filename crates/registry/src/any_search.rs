//! Search results in text and numbers, and the searcher of a type-erased game.

use std::any::Any;
use std::sync::Arc;

use tavola_core::{CancelToken, Complete};
use tavola_search::{Analysis, Limits, Searcher, Unsuitable};

/// What a search found out, in text.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The token of the action to play.
    pub best: Option<String>,
    /// What each seat can expect, from 0 to 1 and 1 in sum.
    pub shares: Vec<f64>,
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
    /// Between what bounds each seat's share lies in a much longer search, 95 times of 100.
    pub intervals: Vec<(f64, f64)>,
    /// By how much each share may be wrong by the scatter of the simulations alone, 95 times of 100.
    pub margins: Vec<f64>,
    /// How many simulations began with it.
    pub visits: u32,
    /// The action and what would follow it.
    pub variation: Vec<String>,
    /// Whether the result is certain.
    pub proven: bool,
}

impl SearchResult {
    pub(crate) fn new<G: Complete>(game: &G, analysis: Analysis<G::Action>) -> Self {
        let token = |action| String::from(game.token(action));
        Self {
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

/// A searcher of a game whose type is erased.
pub(crate) trait ErasedSearcher: Send {
    fn search(
        &mut self,
        state: &dyn Any,
        limits: &Limits,
        stop: &CancelToken,
    ) -> Result<Option<SearchResult>, Unsuitable>;
    fn forget(&mut self);
}

pub(crate) struct TypedSearcher<G: Complete> {
    game: Arc<G>,
    searcher: Searcher<G>,
}

impl<G: Complete> TypedSearcher<G> {
    pub(crate) fn new(game: Arc<G>) -> Self {
        Self { searcher: Searcher::new(Arc::clone(&game)), game }
    }
}

impl<G: Complete> ErasedSearcher for TypedSearcher<G> {
    fn search(
        &mut self,
        state: &dyn Any,
        limits: &Limits,
        stop: &CancelToken,
    ) -> Result<Option<SearchResult>, Unsuitable> {
        limits.check(&*self.game)?;
        let Some(state) = state.downcast_ref() else { return Ok(None) };
        Ok(Some(SearchResult::new(&*self.game, self.searcher.search(state, limits, stop))))
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }
}
