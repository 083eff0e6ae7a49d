//! The result of a search in text and numbers.

use tavola_core::Complete;
use tavola_search::Analysis;

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
