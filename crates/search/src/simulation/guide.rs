//! Simulations with an evaluator: PUCT in place of the upper confidence bound, and evaluations in place of rollouts.

use std::convert::Infallible;

use tavola_core::{Actor, Evaluate, Game, MAX_SEATS as SEATS, Playout, Seat};

use super::Worker;
use crate::limits::Limits;
use crate::node::{Children, Node};
use crate::puct::{Evaluation, Evaluator, Guidance, Leaf, SharedEvaluator, rule};
use crate::value::{Shares, WHOLE};

/// A simulation at a node.
pub(super) enum Arrival<'a, A> {
    /// The node has children, so the simulation continues.
    Inner(&'a Children<A>),
    /// The simulation ends with these shares.
    Leaf(Shares),
}

/// The evaluator of a thread.
pub(super) struct Guide<'a, G: Game> {
    evaluator: Box<dyn Evaluator<G, Error = Infallible> + 'a>,
    guidance: Guidance,
    /// The shares of the last evaluation.
    shares: Shares,
}

impl<'a, G: Game> Guide<'a, G> {
    pub(super) fn new(evaluator: &'a dyn SharedEvaluator<G>, limits: &Limits) -> Self {
        Self {
            evaluator: evaluator.for_thread(),
            guidance: limits.guidance(evaluator.guidance()),
            shares: Shares::expected([0.0; SEATS]),
        }
    }

    /// The exploration of a position with this number of visits.
    pub(super) fn scale(&self, visits: u32) -> f32 {
        rule::scale(self.guidance.c_puct, visits)
    }

    /// Evaluates a position: writes a prior for each action, 1 in sum, and keeps the shares.
    fn evaluate(&mut self, state: &G::State, actions: &[G::Action], priors: &mut Vec<f32>, seats: usize) {
        priors.clear();
        priors.resize(actions.len(), 0.0);
        let mut shares = [0.0; SEATS];
        let evaluation = Evaluation { priors, shares: &mut shares[..seats] };
        let Ok(()) = self.evaluator.evaluate(&[Leaf { state, actions }], &mut [evaluation]);
        rule::normalise(priors);
        rule::normalise(&mut shares[..seats]);
        self.shares = Shares::expected(shares);
    }
}

impl<'a, G: Playout + Evaluate> Worker<'a, G> {
    /// Expands a node without children, and values it. Its first visit does so, because the evaluation gives the priors
    /// together with the shares.
    pub(super) fn arrive_with_guide(&mut self, node: &'a Node<G::Action>, actor: Actor) -> Arrival<'a, G::Action> {
        let children = self.expand(node, actor);
        let is_evaluated = actor != Actor::Chance && self.actions.len() > 1;
        match (&self.guide, children) {
            (Some(_), _) if is_evaluated => Arrival::Leaf(self.leaf_shares()),
            (_, Some(children)) => Arrival::Inner(children),
            (_, None) => {
                self.evaluate_beyond();
                Arrival::Leaf(self.leaf_shares())
            }
        }
    }

    /// The shares of an evaluated leaf, mixed with a rollout where the limits ask for it.
    fn leaf_shares(&mut self) -> Shares {
        let guide = self.guide.as_ref().expect("an evaluator values the leaf");
        let (shares, weight) = (guide.shares, guide.guidance.rollout_weight);
        if weight > 0.0 { shares.mixed(self.play_out(), weight) } else { shares }
    }

    /// Writes the priors of the listed actions. A forced action needs no evaluation: the position after it is worth the same.
    pub(super) fn list_priors(&mut self) {
        match (&mut self.guide, &*self.actions) {
            (_, [_]) => self.action_values.push(1.0),
            (Some(guide), actions) => {
                guide.evaluate(&self.state, actions, &mut self.action_values, self.game.seats());
            }
            (None, _) => {}
        }
    }

    /// Notes the shares of the last evaluation at its node.
    pub(super) fn note_worth(&self, node: &Node<G::Action>, actor: Actor) {
        if let (Some(guide), Actor::Seat(seat)) = (&self.guide, actor) {
            node.set_worth(guide.shares.get(seat));
        }
    }

    /// The shares of a leaf that gets no children: those after outcomes of chance.
    fn evaluate_beyond(&mut self) -> Shares {
        while self.game.to_act(&self.state) == Actor::Chance {
            let outcome = self.game.random_outcome(&self.state, &mut self.random);
            self.game.play_unchecked(&mut self.state, outcome);
        }
        if let Some(outcome) = self.game.outcome(&self.state) {
            return self.scoring.of(outcome.winners);
        }
        self.actions.clear();
        self.game.legal_actions(&self.state, &mut self.actions);
        let guide = self.guide.as_mut().expect("an evaluator values the leaf");
        guide.evaluate(&self.state, &self.actions, &mut self.action_values, self.game.seats());
        guide.shares
    }

    /// Selects a child by PUCT; `None` if all are proven. An unvisited child is worth less than its position.
    pub(super) fn choose_by_priors(
        &mut self,
        node: &Node<G::Action>,
        seat: Seat,
        children: &'a Children<G::Action>,
        scale: f32,
        at_root: bool,
    ) -> Option<(usize, &'a Node<G::Action>)> {
        let (mut sum, mut visits, mut visited) = (node.worth(), 1, 0.0);
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        let (mut place, mut number) = (0, 0);
        // The priors of unvisited children descend, so the first of them is enough.
        while let Some(part) = children.part(number).or_else(|| self.open(children, number)) {
            for child in part {
                let is_closed = self.is_closed(child, seat, at_root);
                let (own, count, prior) = (child.sum(), child.visits(), child.prior());
                if count == 0 && !is_closed {
                    let score = rule::unvisited(share_of(sum, visits), visited, prior, scale);
                    return if score > most { Some((place, child)) } else { best };
                }
                if count > 0 {
                    (sum, visits, visited) = (sum + own, visits + count, visited + prior);
                }
                let score = rule::visited(share_of(own, count), count, prior, scale);
                if !is_closed && score > most {
                    (best, most) = (Some((place, child)), score);
                }
                place += 1;
            }
            number += 1;
        }
        best
    }
}

/// The mean share of a sum over visits.
#[inline]
fn share_of(sum: u64, visits: u32) -> f32 {
    sum as i64 as f32 / (visits.max(1) as f32 * WHOLE as f32)
}
