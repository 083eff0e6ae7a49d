//! A search that keeps its tree or table from one position to the next.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use tavola_core::{Actor, CancelToken, Evaluate, Game, Playout};

use crate::alphabeta::{self, Table};
use crate::analysis::Analysis;
use crate::limits::{Limits, Method, Rollouts};
use crate::node::Children;
use crate::node::Node;
use crate::puct::SharedEvaluator;
use crate::tree::Tree;
use crate::tree_search;
use crate::value::Scoring;

/// The number of positions below the old root that are compared with the new one. The most visited come first, and later
/// ones have few visits to lose.
const COMPARED: usize = 10_000;

/// Searches one position of a game after another, and keeps the part of its tree below the new position.
///
/// It finds the new position in its tree, however many actions later, and whichever seats played them. An unknown
/// position starts a new tree. With one thread and no limit of time, the same calls give the same analyses.
pub struct Searcher<G: Playout + Evaluate> {
    game: Arc<G>,
    kept: Option<Kept<G>>,
    /// The transposition table of alpha-beta.
    table: Option<Table>,
    /// Replaces rollouts and the game's own evaluation.
    evaluator: Option<Arc<dyn SharedEvaluator<G>>>,
}

struct Kept<G: Game> {
    tree: Tree<G::Action>,
    state: G::State,
    meaning: Meaning,
}

/// The limits that give the visits and shares of a tree their meaning. Those of another meaning are not comparable.
#[derive(Clone, Copy, PartialEq)]
struct Meaning {
    prior: Option<f32>,
    rollouts: Rollouts,
    scoring: Scoring,
    c_puct: Option<f32>,
    rollout_weight: Option<f32>,
}

impl<G: Playout + Evaluate> Searcher<G> {
    /// A searcher with an empty tree.
    pub fn new(game: Arc<G>) -> Self {
        Self { game, kept: None, table: None, evaluator: None }
    }

    /// Sets the evaluator of the leaves; `None` for rollouts or the game's own evaluation. Forgets all earlier searches, whose
    /// shares mean something else.
    ///
    /// A search with an evaluator selects by PUCT, and its method is the tree.
    pub fn set_evaluator(&mut self, evaluator: Option<Arc<dyn SharedEvaluator<G>>>) {
        self.forget();
        self.evaluator = evaluator;
    }

    /// Searches for the best action in a state, as [`search`](crate::search) does.
    ///
    /// The visits of the lines include those of earlier searches. The limits apply to this search alone.
    pub fn search(&mut self, state: &G::State, limits: &Limits, stop: &CancelToken) -> Analysis<G::Action> {
        limits.check(&*self.game).expect("the method suits the game");
        if self.evaluator.is_none() && limits.method.resolve(&*self.game, state, limits) == Method::AlphaBeta {
            return alphabeta::search(&*self.game, state, &mut self.table, limits, stop);
        }
        let meaning = Meaning {
            prior: limits.prior,
            rollouts: limits.rollouts,
            scoring: limits.scoring(&*self.game, state),
            c_puct: limits.c_puct,
            rollout_weight: limits.rollout_weight,
        };
        let mut tree = self.kept.take().and_then(|kept| kept.below(&*self.game, state, meaning));
        let tree = tree.get_or_insert_with(Tree::new);
        let analysis = tree_search::search(&*self.game, state, tree, self.evaluator.as_deref(), limits, stop);
        let tree = std::mem::replace(tree, Tree::new());
        self.kept = Some(Kept { tree, state: state.clone(), meaning });
        analysis
    }

    /// Frees the tree and the table.
    pub fn forget(&mut self) {
        self.kept = None;
        self.table = None;
    }
}

impl<G: Game> Kept<G> {
    /// The part of the tree below a state; `None` if the tree does not contain the state.
    fn below(self, game: &G, state: &G::State, meaning: Meaning) -> Option<Tree<G::Action>> {
        // Visits of a chance node say little about each seat's share.
        if self.meaning != meaning || !matches!(game.to_act(state), Actor::Seat(_)) {
            return None;
        }
        let path = path(game, &self.state, state, self.tree.root())?;
        Some(self.tree.below(&path))
    }
}

/// A position of the tree to compare, and its predecessor.
struct Candidate<'a, G: Game> {
    before: usize,
    place: usize,
    node: &'a Node<G::Action>,
    state: Option<G::State>,
}

/// The indices of the children on the path from one state to another.
fn path<G: Game>(game: &G, from: &G::State, to: &G::State, root: &Node<G::Action>) -> Option<Vec<usize>> {
    let key = game.key(to);
    let mut candidates: Vec<Candidate<G>> =
        vec![Candidate { before: 0, place: 0, node: root, state: Some(from.clone()) }];
    let mut next = BinaryHeap::from([(root.visits(), Reverse(0))]);
    for _ in 0..COMPARED {
        let (_, Reverse(number)) = next.pop()?;
        let state = if number == 0 {
            from.clone()
        } else {
            let candidate = &candidates[number];
            let mut state = candidates[candidate.before].state.clone().expect("the predecessor came first");
            game.play_unchecked(&mut state, candidate.node.action());
            state
        };
        if game.key(&state) == key && state == *to {
            let mut way = Vec::new();
            let mut number = number;
            while number != 0 {
                way.push(candidates[number].place);
                number = candidates[number].before;
            }
            way.reverse();
            return Some(way);
        }
        let node = candidates[number].node;
        candidates[number].state = Some(state);
        for (place, child) in node.children().into_iter().flat_map(Children::opened).enumerate() {
            if child.children().is_some() {
                next.push((child.visits(), Reverse(candidates.len())));
                candidates.push(Candidate { before: number, place, node: child, state: None });
            }
        }
    }
    None
}
