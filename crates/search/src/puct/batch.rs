//! All simulations of all trees.

use tavola_core::{Actor, CancelToken, Playout};

use super::descend::{Pending, Purpose};
use super::evaluator::{Evaluation, Evaluator, Leaf};
use super::settings::Settings;
use super::tree::{Kind, ROOT, Tree};
use crate::limits;

/// The number of simulations without an evaluation after which the search looks at its limits.
const UNEVALUATED: u32 = 2048;

/// Searches many positions of one game at once, each with a tree of its own.
///
/// The leaves of all trees are evaluated together. The same seed and settings give the same trees if the evaluator gives
/// the same results.
pub struct BatchSearch<'g, G: Playout> {
    pub(super) game: &'g G,
    pub(super) roots: Vec<G::State>,
    pub(super) trees: Vec<Tree<G::Action>>,
    pub(super) settings: Settings,
    pub(super) seconds: f64,
    pub(super) full: bool,
    /// The maximum number of simulations of each root.
    nodes: Vec<u32>,
    /// Simulations that wait for an evaluation or for the end of the batch.
    waiting: Vec<Pending<G>>,
    /// Buffers for more.
    spare: Vec<Pending<G>>,
}

impl<'g, G: Playout> BatchSearch<'g, G> {
    /// A search of these positions.
    pub fn new(game: &'g G, roots: Vec<G::State>, settings: Settings) -> Self {
        let seats = game.seats();
        let trees = (0..roots.len() as u64).map(|number| Tree::new(seats, settings.seed, number)).collect();
        let nodes = vec![settings.nodes; roots.len()];
        let (waiting, spare) = (Vec::new(), Vec::new());
        Self { game, roots, trees, settings, seconds: 0.0, full: false, nodes, waiting, spare }
    }

    /// Gives each root its own maximum number of simulations, in place of that of the settings.
    ///
    /// # Panics
    /// If there is not one number for each root.
    #[must_use]
    pub fn with_nodes(mut self, nodes: Vec<u32>) -> Self {
        assert_eq!(nodes.len(), self.roots.len(), "one number for each root");
        self.nodes = nodes;
        self
    }

    /// Searches until a limit is reached, all results are proven, or `stop` is cancelled.
    ///
    /// After an error the trees are as they were before the failed batch, and the search can continue.
    ///
    /// # Errors
    /// Those of the evaluator.
    pub fn run<E: Evaluator<G>>(&mut self, evaluator: &mut E, stop: &CancelToken) -> Result<(), E::Error> {
        let began = stop.now();
        let searched = self.seconds;
        let deadline = limits::deadline(self.settings.seconds, began);
        let done = loop {
            let active: Vec<usize> =
                (0..self.trees.len()).filter(|&tree| !self.trees[tree].is_done(self.nodes[tree])).collect();
            let late = deadline.is_some_and(|deadline| stop.now() >= deadline);
            self.full = self.trees.iter().map(Tree::bytes).sum::<u64>() >= self.settings.memory;
            if active.is_empty() || late || self.full || stop.should_stop() {
                break Ok(());
            }
            if let Err(error) = self.round(&active, evaluator).and_then(|()| evaluator.poll()) {
                break Err(error);
            }
        };
        self.undo_all();
        self.seconds = searched + (stop.now() - began).as_secs_f64();
        if done.is_ok() {
            self.open_roots();
        }
        done
    }

    /// Simulates in each of these trees, until each has its part of a batch.
    fn round<E: Evaluator<G>>(&mut self, active: &[usize], evaluator: &mut E) -> Result<(), E::Error> {
        let batch = self.settings.batch.get();
        let each = (batch / active.len()).max(1);
        let mut leaves = 0;
        for &tree in active {
            if leaves + each > batch {
                self.evaluate(evaluator)?;
                leaves = 0;
            }
            leaves += self.gather(tree, each);
        }
        self.evaluate(evaluator)
    }

    /// Collects up to `most` leaves of one tree. Returns their number.
    fn gather(&mut self, tree: usize, most: usize) -> usize {
        let (mut leaves, mut collisions, mut unevaluated) = (0, 0, 0);
        while leaves < most && collisions < most && unevaluated < UNEVALUATED {
            if self.trees[tree].is_done(self.nodes[tree]) {
                break;
            }
            let root = &self.roots[tree];
            let mut pending = self.spare.pop().unwrap_or_else(|| Pending::new(root));
            pending.tree = tree;
            if !self.trees[tree].simulate(self.game, root, &self.settings, &mut pending) {
                unevaluated += 1;
                self.spare.push(pending);
                continue;
            }
            // A collision stays in progress until the end of the batch, so that the next simulation takes another path.
            if pending.purpose == Purpose::Collision {
                collisions += 1;
            } else {
                leaves += 1;
            }
            self.waiting.push(pending);
        }
        leaves
    }

    /// Evaluates the waiting leaves, and ends their simulations.
    fn evaluate<E: Evaluator<G>>(&mut self, evaluator: &mut E) -> Result<(), E::Error> {
        let seats = self.game.seats();
        let is_leaf = |pending: &&Pending<G>| pending.purpose != Purpose::Collision;
        let count = self.waiting.iter().filter(is_leaf).count();
        let actions = self.waiting.iter().filter(is_leaf).map(|pending| pending.actions.len()).sum();
        let (mut priors, mut shares) = (vec![0.0; actions], vec![0.0; count * seats]);
        if count > 0 {
            let leaves: Vec<Leaf<'_, G>> = self
                .waiting
                .iter()
                .filter(is_leaf)
                .map(|pending| Leaf { state: &pending.state, actions: &pending.actions })
                .collect();
            let mut rest = &mut *priors;
            let place = |(leaf, shares): (&Leaf<'_, G>, _)| {
                let (priors, more) = std::mem::take(&mut rest).split_at_mut(leaf.actions.len());
                rest = more;
                Evaluation { priors, shares }
            };
            let mut evaluations: Vec<_> = leaves.iter().zip(shares.chunks_exact_mut(seats)).map(place).collect();
            evaluator.evaluate(&leaves, &mut evaluations)?;
        }
        let mut rest = &mut *priors;
        let mut shares = shares.chunks_exact(seats);
        for pending in self.waiting.drain(..) {
            let tree = &mut self.trees[pending.tree];
            if pending.purpose == Purpose::Collision {
                tree.undo(&pending);
            } else {
                let (own, more) = std::mem::take(&mut rest).split_at_mut(pending.actions.len());
                rest = more;
                tree.finish(self.game, &self.settings, &pending, own, shares.next().expect("shares for each leaf"));
            }
            self.spare.push(pending);
        }
        Ok(())
    }

    fn undo_all(&mut self) {
        for pending in self.waiting.drain(..) {
            self.trees[pending.tree].undo(&pending);
            self.spare.push(pending);
        }
    }

    /// Gives roots without an evaluation their edges, so that every analysis has lines.
    fn open_roots(&mut self) {
        for (tree, state) in self.trees.iter_mut().zip(&self.roots) {
            if tree.node(ROOT).kind != Kind::New {
                continue;
            }
            match self.game.to_act(state) {
                Actor::Seat(seat) => {
                    let mut actions = Vec::new();
                    self.game.legal_actions(state, &mut actions);
                    let mut priors = vec![1.0; actions.len()];
                    tree.open(ROOT, seat, &actions, &mut priors, &self.settings);
                }
                Actor::Chance => {}
                Actor::Terminal => {
                    let outcome = self.game.outcome(state).expect("the game is over");
                    tree.end(&outcome);
                }
            }
        }
    }
}
