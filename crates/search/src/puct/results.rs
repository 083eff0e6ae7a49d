//! The analysis of a tree, and its training target.

use std::cmp::Ordering;

use tavola_core::{Actor, Playout};

use super::batch::BatchSearch;
use super::tree::{Edge, Kind, NodeId, ROOT, Tree};
use crate::analysis::{Analysis, Line, VARIATION};

/// The training target of a position: how often to choose each action, and the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Target<A> {
    /// The probability of each legal action, 1 in sum: the shares of the visits. Empty if no seat acts. A proven result
    /// gives the best action the probability 1.
    pub policy: Vec<(A, f32)>,
    /// The expected share of the game of each seat, from 0 to 1 and 1 in sum.
    pub shares: Vec<f32>,
}

impl<G: Playout> BatchSearch<'_, G> {
    /// The training target of a root.
    ///
    /// The probabilities are in proportion to the visits to the power of 1 / `temperature`. At 0 the best action has all.
    pub fn target(&self, root: usize, temperature: f32) -> Target<G::Action> {
        let tree = &self.trees[root];
        let shares = (0..tree.seats).map(|seat| tree.mean(ROOT, seat) as f32).collect();
        let Kind::Seat(seat) = tree.node(ROOT).kind else { return Target { policy: Vec::new(), shares } };
        let edges = tree.edges(ROOT);
        let best = tree.best(ROOT, seat.into());
        let weights = tree.policy_weights(seat.into());
        let policy = match (best, weights) {
            (Some(best), Some(weights)) if temperature > 0.0 => {
                let most = weights.iter().copied().fold(0.0, f32::max);
                let power = |weight: f32| (weight / most).powf(1.0 / temperature);
                let powers: Vec<f32> =
                    weights.into_iter().map(|weight| if weight > 0.0 { power(weight) } else { 0.0 }).collect();
                let sum: f32 = powers.iter().sum();
                debug_assert!(best < edges.len());
                edges.iter().zip(powers).map(|(edge, power)| (edge.action, power / sum)).collect()
            }
            (best, _) => {
                let only = |place| f32::from(u8::from(Some(place) == best));
                edges.iter().enumerate().map(|(place, edge)| (edge.action, only(place))).collect()
            }
        };
        Target { policy, shares }
    }

    /// The analysis of a root.
    pub fn analysis(&self, root: usize) -> Analysis<G::Action> {
        let (tree, state) = (&self.trees[root], &self.roots[root]);
        let actor = self.game.to_act(state);
        let target = self.target(root, 1.0);
        let mut order: Vec<usize> = (0..tree.edges(ROOT).len()).collect();
        if let Actor::Seat(seat) = actor {
            let best = tree.best(ROOT, seat.into());
            order.sort_by(|&a, &b| {
                let is_best = |place| Some(place) == best;
                is_best(b).cmp(&is_best(a)).then_with(|| tree.compare(ROOT, seat.into(), b, a))
            });
        } else {
            order.sort_by_key(|&place| std::cmp::Reverse(tree.visits(&tree.edges(ROOT)[place])));
        }
        let lines: Vec<_> = order.iter().map(|&place| self.line(root, place)).collect();
        Analysis {
            best: lines.first().filter(|_| actor.seat().is_some()).map(|line| line.action),
            shares: (0..tree.seats).map(|seat| tree.mean(ROOT, seat)).collect(),
            policy: order.iter().map(|&place| target.policy.get(place).map_or(0.0, |&(_, part)| part)).collect(),
            lines,
            nodes: tree.node(ROOT).visits.into(),
            tree: tree.len() as u64,
            bytes: tree.bytes(),
            full: self.full,
            seconds: self.seconds,
        }
    }

    fn line(&self, root: usize, place: usize) -> Line<G::Action> {
        let (tree, seats) = (&self.trees[root], self.trees[root].seats);
        let edge = tree.edges(ROOT)[place];
        let visits = tree.visits(&edge);
        let known = edge.child().filter(|&child| visits > 0 || tree.node(child).solved);
        let proven = known.is_some_and(|child| tree.node(child).solved);
        let shares: Vec<f64> = (0..seats).map(|seat| tree.mean(known.unwrap_or(ROOT), seat)).collect();
        let (intervals, margins) = tree.root_stats[place].bounds(&shares, visits, proven, true);
        Line { action: edge.action, intervals, margins, shares, visits, variation: self.variation(root, edge), proven }
    }

    /// An action of the root and the best ones after it.
    fn variation(&self, root: usize, edge: Edge<G::Action>) -> Vec<G::Action> {
        let tree = &self.trees[root];
        let mut actions = vec![edge.action];
        let mut node = edge.child();
        while let Some(at) = node
            && let Kind::Seat(seat) = tree.node(at).kind
            && let Some(best) = tree.best(at, seat.into())
            && actions.len() < VARIATION
        {
            let edge = tree.edges(at)[best];
            node = edge.child().filter(|&child| tree.node(child).visits > 0 || tree.node(child).solved);
            if node.is_some() {
                actions.push(edge.action);
            }
        }
        actions
    }
}

impl<A: Copy> Tree<A> {
    /// The number of finished simulations that took an edge.
    fn visits(&self, edge: &Edge<A>) -> u32 {
        edge.child().map_or(0, |child| self.node(child).visits)
    }

    /// The exact share of a seat after an edge.
    fn exact_share(&self, edge: &Edge<A>, seat: usize) -> Option<f64> {
        edge.child().filter(|&child| self.node(child).solved).map(|child| self.exact(child)[seat])
    }

    /// The index of the best edge for a seat: a proven win, else the most visited one that is not lost. Another edge is
    /// better if its result is proven and its share is higher.
    fn best(&self, node: NodeId, seat: usize) -> Option<usize> {
        let edges = self.edges(node);
        let likely = (0..edges.len()).max_by(|&a, &b| self.compare(node, seat, a, b))?;
        let exact = |place: usize| self.exact_share(&edges[place], seat).unwrap_or(-1.0);
        let surest = (0..edges.len()).max_by(|&a, &b| exact(a).total_cmp(&exact(b)).then(b.cmp(&a)))?;
        let share = edges[likely].child().map_or(0.0, |child| self.mean(child, seat));
        Some(if exact(surest) > share { surest } else { likely })
    }

    /// Compares two edges: proven wins are the greatest and proven losses the least, then visits count, then priors.
    fn compare(&self, node: NodeId, seat: usize, a: usize, b: usize) -> Ordering {
        let rank = |place: usize| {
            let edge = &self.edges(node)[place];
            let class = match self.exact_share(edge, seat) {
                Some(share) if share >= 1.0 => 2,
                Some(share) if share <= 0.0 => 0,
                _ => 1,
            };
            (class, self.visits(edge))
        };
        // The edges descend by prior.
        rank(a).cmp(&rank(b)).then(b.cmp(&a))
    }

    /// The weights of the root's edges in the policy: the visits, without proven losses; the priors without visits. `None`
    /// if the result is proven.
    fn policy_weights(&self, seat: usize) -> Option<Vec<f32>> {
        if self.node(ROOT).solved {
            return None;
        }
        let edges = self.edges(ROOT);
        let weight = |edge: &Edge<A>| match self.exact_share(edge, seat) {
            Some(share) if share <= 0.0 => 0.0,
            _ => self.visits(edge) as f32,
        };
        let weights: Vec<f32> = edges.iter().map(weight).collect();
        let visited = weights.iter().any(|&weight| weight > 0.0);
        Some(if visited { weights } else { edges.iter().map(|edge| edge.prior).collect() })
    }
}
