//! One tree: nodes, edges and exact values.

use tavola_core::random::mix;
use tavola_core::{MAX_SEATS, Outcome, Random, Seat};

use super::noise;
use super::rule;
use super::settings::Settings;
use crate::stats::ActionStats;

/// The share of the game of each seat, and 0 for seats that the game does not have.
pub(super) type Shares = [f64; MAX_SEATS];

/// The shares of a finished game.
pub(super) fn shares_of(outcome: &Outcome, seats: usize) -> Shares {
    let mut shares = [0.0; MAX_SEATS];
    for (seat, share) in (0..).zip(&mut shares[..seats]) {
        *share = outcome.share(seat, seats);
    }
    shares
}

/// The shares of a game that one seat wins alone.
pub(super) fn win_of(seat: Seat) -> Shares {
    let mut shares = [0.0; MAX_SEATS];
    shares[usize::from(seat)] = 1.0;
    shares
}

/// The index of a node. The root is the first.
pub(super) type NodeId = u32;
pub(super) const ROOT: NodeId = 0;

/// No node yet.
const NONE: NodeId = NodeId::MAX;

/// The state of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// No simulation has come here.
    New,
    /// The position waits for its evaluation.
    Waiting,
    /// A seat acts, and the node has its edges.
    Seat(Seat),
    /// Chance acts, and the node has its edges.
    Chance,
    /// Chance acts and has too many outcomes for edges.
    ManyOutcomes,
    /// The game is over.
    Terminal,
}

/// A position of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The number of simulations through the node, with those in progress.
    pub(super) visits: u32,
    /// The number of simulations in progress.
    pub(super) in_progress: u32,
    pub(super) kind: Kind,
    /// Whether the value is exact: the game is over, or every line that matters ends below.
    pub(super) solved: bool,
    /// The edge that leads here.
    edge: u32,
    first_edge: u32,
    edges: u32,
    /// The first of the weights of a chance node.
    first_weight: u32,
}

/// An action or outcome of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge<A> {
    pub(super) action: A,
    /// The probability by the policy, or by the weights of chance.
    pub(super) prior: f32,
    /// The node after the action; [`NONE`] before the first visit.
    child: NodeId,
}

impl<A> Edge<A> {
    pub(super) fn child(&self) -> Option<NodeId> {
        (self.child != NONE).then_some(self.child)
    }
}

/// The tree of one root.
///
/// The edges of a seat's node descend by prior, and simulations visit them in this order. So the visited ones come first.
pub(super) struct Tree<A> {
    pub(super) seats: usize,
    pub(super) random: Random,
    seed: u64,
    nodes: Vec<Node>,
    edges: Vec<Edge<A>>,
    /// The running sums of the weights of chance nodes.
    weights: Vec<u64>,
    /// The sums of the shares of the finished simulations of each node, or the exact shares of a solved node.
    shares: Vec<f64>,
    /// The statistics of the root's edges.
    pub(super) root_stats: Vec<ActionStats>,
}

impl<A: Copy> Tree<A> {
    pub(super) fn new(seats: usize, seed: u64, number: u64) -> Self {
        let mut random = Random::stream(seed, number);
        let seed = random.word();
        let mut tree = Self {
            seats,
            random,
            seed,
            nodes: Vec::new(),
            edges: Vec::new(),
            weights: Vec::new(),
            shares: Vec::new(),
            root_stats: Vec::new(),
        };
        tree.add_node(NONE);
        tree
    }

    pub(super) fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node as usize]
    }

    pub(super) fn node_mut(&mut self, node: NodeId) -> &mut Node {
        &mut self.nodes[node as usize]
    }

    /// The edges of a node; none before it has them.
    pub(super) fn edges(&self, node: NodeId) -> &[Edge<A>] {
        let node = self.node(node);
        &self.edges[node.first_edge as usize..][..node.edges as usize]
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The size in bytes.
    pub(super) fn bytes(&self) -> u64 {
        let nodes = self.nodes.len() * (size_of::<Node>() + self.seats * size_of::<f64>());
        (nodes + self.edges.len() * size_of::<Edge<A>>() + self.weights.len() * size_of::<u64>()) as u64
    }

    /// The sums of the shares of a node, or the exact shares of a solved one.
    fn sums(&self, node: NodeId) -> &[f64] {
        &self.shares[node as usize * self.seats..][..self.seats]
    }

    /// Adds the shares of one simulation to a node that is not solved.
    pub(super) fn add(&mut self, node: NodeId, shares: &Shares) {
        let seats = self.seats;
        let sums = &mut self.shares[node as usize * seats..][..seats];
        sums.iter_mut().zip(shares).for_each(|(sum, share)| *sum += share);
    }

    /// The exact shares of a solved node.
    pub(super) fn exact(&self, node: NodeId) -> Shares {
        debug_assert!(self.node(node).solved);
        let mut shares = [0.0; MAX_SEATS];
        shares[..self.seats].copy_from_slice(self.sums(node));
        shares
    }

    /// The mean share of a seat over the finished simulations, or the exact share. A node without any has equal shares.
    pub(super) fn mean(&self, node: NodeId, seat: usize) -> f64 {
        let Node { visits, in_progress, solved, .. } = *self.node(node);
        let sum = self.sums(node)[seat];
        match visits - in_progress {
            _ if solved => sum,
            0 => 1.0 / self.seats as f64,
            finished => sum / f64::from(finished),
        }
    }

    /// The share of the seat that chooses a child, by the finished simulations; 0 without any.
    ///
    /// Simulations in progress count as visits, so that the next one of the same batch takes another path. They do not
    /// count as lost: that costs strength (docs/explanation/search.md). Source: Liu et al., "Watch the Unobserved: A Simple
    /// Approach to Parallelizing Monte Carlo Tree Search" (2020).
    pub(super) fn share_for_choice(&self, child: NodeId, seat: Seat) -> f32 {
        let node = self.node(child);
        let sum = self.sums(child)[usize::from(seat)];
        if node.solved { sum as f32 } else { sum as f32 / (node.visits - node.in_progress).max(1) as f32 }
    }

    /// Gives a node its exact shares.
    pub(super) fn solve(&mut self, node: NodeId, shares: &Shares) {
        let seats = self.seats;
        self.shares[node as usize * seats..][..seats].copy_from_slice(&shares[..seats]);
        self.node_mut(node).solved = true;
    }

    /// Ends the game at the root.
    pub(super) fn end(&mut self, outcome: &Outcome) {
        self.node_mut(ROOT).kind = Kind::Terminal;
        self.solve(ROOT, &shares_of(outcome, self.seats));
    }

    fn add_node(&mut self, edge: u32) -> NodeId {
        let id = self.nodes.len() as NodeId;
        self.nodes.push(Node {
            visits: 0,
            in_progress: 0,
            kind: Kind::New,
            solved: false,
            edge,
            first_edge: 0,
            edges: 0,
            first_weight: 0,
        });
        self.shares.resize(self.shares.len() + self.seats, 0.0);
        id
    }

    /// The node after an edge, by the edge's index among those of its node. Creates the node if it is missing.
    pub(super) fn follow(&mut self, node: NodeId, place: usize) -> (A, NodeId) {
        let at = self.node(node).first_edge + place as u32;
        let Edge { action, child, .. } = self.edges[at as usize];
        if child != NONE {
            return (action, child);
        }
        let child = self.add_node(at);
        self.edges[at as usize].child = child;
        (action, child)
    }

    /// The index of a child of the root among the root's edges.
    pub(super) fn place_at_root(&self, child: NodeId) -> usize {
        (self.node(child).edge - self.node(ROOT).first_edge) as usize
    }

    /// Gives a seat's node its edges, by priors of 0 or more. The root's priors get noise.
    pub(super) fn open(&mut self, node: NodeId, seat: Seat, actions: &[A], priors: &mut [f32], settings: &Settings) {
        rule::normalise(priors);
        if let (ROOT, Some(noise)) = (node, settings.noise) {
            noise::mix_in(noise, priors, &mut self.random);
        }
        // The higher prior comes first, equal ones in random order.
        let seed = self.seed ^ mix(u64::from(node));
        let mut order: Vec<(f32, u64, u32)> =
            (0..).zip(&*priors).map(|(place, &prior)| (prior, mix(seed ^ u64::from(place)), place)).collect();
        order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let first_edge = self.edges.len() as u32;
        let edge = |(prior, _, place): (f32, u64, u32)| Edge { action: actions[place as usize], prior, child: NONE };
        self.edges.extend(order.into_iter().map(edge));
        let edges = actions.len() as u32;
        *self.node_mut(node) = Node { kind: Kind::Seat(seat), first_edge, edges, ..*self.node(node) };
        self.prepare_root(node);
    }

    /// Gives a chance node its edges.
    pub(super) fn open_chance(&mut self, node: NodeId, outcomes: &[(A, u64)]) {
        let (first_edge, first_weight) = (self.edges.len() as u32, self.weights.len() as u32);
        let total: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
        let mut sum = 0;
        for &(action, weight) in outcomes {
            sum += weight;
            self.edges.push(Edge { action, prior: (weight as f64 / total as f64) as f32, child: NONE });
            self.weights.push(sum);
        }
        let edges = outcomes.len() as u32;
        *self.node_mut(node) = Node { kind: Kind::Chance, first_edge, edges, first_weight, ..*self.node(node) };
        self.prepare_root(node);
    }

    fn prepare_root(&mut self, node: NodeId) {
        if node == ROOT {
            self.root_stats = vec![ActionStats::default(); self.node(ROOT).edges as usize];
        }
    }

    /// The outcome of the next visit of a chance node, in proportion to the weights.
    ///
    /// Systematic sampling: the visits follow a golden-ratio sequence with a random start. Each outcome has its exact
    /// probability, and the numbers of visits differ from it by less than those of independent draws.
    pub(super) fn draw(&self, node: NodeId) -> usize {
        const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;
        let &Node { visits, first_weight, edges, .. } = self.node(node);
        let sums = &self.weights[first_weight as usize..][..edges as usize];
        let total = sums[sums.len() - 1];
        let point = mix(self.seed ^ mix(u64::from(node))).wrapping_add(GOLDEN.wrapping_mul(u64::from(visits)));
        let draw = ((u128::from(point) * u128::from(total)) >> 64) as u64;
        sums.partition_point(|&sum| sum <= draw)
    }

    /// Solves a node if the exact values of its children suffice.
    ///
    /// One child in which the seat to act gets everything solves a node. Otherwise the best child does once all are solved.
    /// A chance node is worth the mean of its children by the weights, once all are solved.
    pub(super) fn try_solve(&mut self, node: NodeId) {
        let shares = match self.node(node).kind {
            Kind::Seat(seat) => self.best_exact(node, usize::from(seat)),
            Kind::Chance => self.exact_expectation(node),
            _ => None,
        };
        if let Some(shares) = shares {
            self.solve(node, &shares);
        }
    }

    fn best_exact(&self, node: NodeId, seat: usize) -> Option<Shares> {
        let mut best: Option<Shares> = None;
        let mut all = true;
        for edge in self.edges(node) {
            let Some(child) = edge.child().filter(|&child| self.node(child).solved) else {
                all = false;
                continue;
            };
            let shares = self.exact(child);
            if shares[seat] >= 1.0 {
                return Some(shares);
            }
            if best.is_none_or(|best| shares[seat] > best[seat]) {
                best = Some(shares);
            }
        }
        best.filter(|_| all)
    }

    fn exact_expectation(&self, node: NodeId) -> Option<Shares> {
        let &Node { first_weight, edges, .. } = self.node(node);
        let sums = &self.weights[first_weight as usize..][..edges as usize];
        let mut expected = [0.0; MAX_SEATS];
        let mut before = 0;
        for (edge, &sum) in self.edges(node).iter().zip(sums) {
            let child = edge.child().filter(|&child| self.node(child).solved)?;
            let weight = (sum - before) as f64;
            expected.iter_mut().zip(self.exact(child)).for_each(|(expected, share)| *expected += weight * share);
            before = sum;
        }
        Some(expected.map(|sum| sum / before as f64))
    }
}

#[cfg(test)]
mod tests {
    // Exact shares are exact.
    #![allow(clippy::float_cmp)]

    use super::*;

    #[test]
    fn chance_visits_outcomes_in_proportion_to_their_weights() {
        for number in 0..20 {
            let mut tree = Tree::new(2, 7, number);
            tree.open_chance(ROOT, &[('a', 1), ('b', 0), ('c', 5), ('d', 10)]);
            let mut counts = [0u32; 4];
            for _ in 0..1600 {
                counts[tree.draw(ROOT)] += 1;
                tree.node_mut(ROOT).visits += 1;
            }
            assert_eq!(counts[1], 0);
            for (count, expected) in counts.into_iter().zip([100, 0, 500, 1000]) {
                assert!(count.abs_diff(expected) <= 5, "{counts:?}");
            }
        }
    }

    #[test]
    fn the_first_outcome_is_as_random_as_the_weights() {
        let mut counts = [0u32; 2];
        for number in 0..10_000 {
            let mut tree = Tree::new(2, 7, number);
            tree.open_chance(ROOT, &[('a', 3), ('b', 7)]);
            counts[tree.draw(ROOT)] += 1;
        }
        assert!(counts[0].abs_diff(3000) < 200, "{counts:?}");
    }

    #[test]
    fn a_chance_node_of_exact_children_is_worth_their_expectation() {
        let mut tree = Tree::new(2, 7, 0);
        tree.open_chance(ROOT, &[('a', 1), ('b', 3)]);
        let (_, a) = tree.follow(ROOT, 0);
        tree.solve(a, &win_of(0));
        tree.try_solve(ROOT);
        assert!(!tree.node(ROOT).solved);
        let (_, b) = tree.follow(ROOT, 1);
        tree.solve(b, &win_of(1));
        tree.try_solve(ROOT);
        assert_eq!(tree.exact(ROOT)[..2], [0.25, 0.75]);
    }
}
