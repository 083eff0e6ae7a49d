//! Searching, in text and numbers.

use std::sync::Arc;

use tavola_core::{CancelToken, Complete};
use tavola_search::{Analysis, Limits, Searcher, Unsuited};

use crate::erased::AnyState;

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
        limits: &Limits,
        stop: &CancelToken,
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
        limits: &Limits,
        stop: &CancelToken,
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
        limits: &Limits,
        stop: &CancelToken,
    ) -> Result<Option<SearchResult>, Unsuited> {
        limits.suit(&*self.game)?;
        let Some(state) = state.as_any().downcast_ref() else { return Ok(None) };
        Ok(Some(SearchResult::new(&*self.game, self.searcher.search(state, limits, stop))))
    }

    fn forget(&mut self) {
        self.searcher.forget();
    }
}
