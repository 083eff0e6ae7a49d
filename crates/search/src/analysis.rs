//! The result of a search.

use std::cmp::Reverse;

use tavola_core::{Actor, Evaluate, Game, Outcome, Seat};

use crate::node::Children;
use crate::node::Node;
use crate::stats::ActionStats;
use crate::tree::Tree;
use crate::value::{Proof, Scoring, Shares, WHOLE, mean};

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<A> {
    /// The action to play; `None` if no seat acts.
    pub best: Option<A>,
    /// The expected share of the game of each seat, from 0 to 1 and 1 in sum. It is the mean over the lines that are not
    /// lost, weighted by visits to the power of 3/2, because the best line alone is too optimistic. It is equal without
    /// visits. For alpha-beta it is the value of the best line.
    pub shares: Vec<f64>,
    /// Every action of the state, the best first. Where chance acts, every outcome, the most visited first, and none if
    /// there are thousands.
    pub lines: Vec<Line<A>>,
    /// The policy as a training target: the probability of the action of each line, 1 in sum. It is the line's part of the
    /// visits. A proven best line has the probability 1, as has the best line of alpha-beta. All are 0 where chance acts.
    pub policy: Vec<f32>,
    /// The number of visited nodes: one per simulation.
    pub nodes: u64,
    /// The number of nodes of the tree.
    pub tree: u64,
    /// The size of the tree in bytes.
    pub bytes: u64,
    /// Whether the tree reached its memory limit and stopped growing.
    pub full: bool,
    /// The duration.
    pub seconds: f64,
}

impl<A> Analysis<A> {
    /// The analysis of a finished game.
    pub(crate) fn of_outcome(outcome: &Outcome, seats: usize) -> Self {
        let shares = in_parts(&Scoring::fair(seats).of(outcome.winners), seats);
        let (lines, policy) = (Vec::new(), Vec::new());
        Self { best: None, shares, lines, policy, nodes: 0, tree: 0, bytes: 0, full: false, seconds: 0.0 }
    }
}

/// The policy of the lines of a seat's position, the best first: their parts of the visits, without lost ones. A proven best
/// line has all, as has the first one without visits.
pub(crate) fn visit_policy<A>(lines: &[Line<A>], seat: Seat) -> Vec<f32> {
    let is_lost = |line: &Line<A>| line.proven && line.shares[usize::from(seat)] <= 0.0;
    let visits = |line: &Line<A>| if is_lost(line) { 0.0 } else { f64::from(line.visits) };
    let sum: f64 = lines.iter().map(visits).sum();
    if sum == 0.0 || lines.first().is_some_and(|best| best.proven) {
        return best_only(lines.len());
    }
    lines.iter().map(|line| (visits(line) / sum) as f32).collect()
}

/// The policy that always chooses the first of these lines.
pub(crate) fn best_only(lines: usize) -> Vec<f32> {
    (0..lines).map(|place| f32::from(u8::from(place == 0))).collect()
}

/// One action of the state and its result.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<A> {
    /// The action.
    pub action: A,
    /// The expected share of the game of each seat, from 0 to 1 and 1 in sum: the mean over the visits, shrunk towards the
    /// mean of the state.
    pub shares: Vec<f64>,
    /// A 95 % interval of each share: the range of a search fifty times as long. It is Agresti and Coull's interval, for
    /// the number of independent games that the simulations are worth. It is (0, 1) without visits, and of width 0 for a
    /// proven result. For alpha-beta it reaches from the lowest to the highest value of the last depths. A refuted action
    /// has an upper bound as its share, and an interval from 0 to it.
    pub intervals: Vec<(f64, f64)>,
    /// The sampling error of each share alone, as the half-width of a 95 % interval: the difference between two searches
    /// of the same kind. For alpha-beta it is half of the interval.
    pub margins: Vec<f64>,
    /// The number of simulations that began with the action, including earlier searches of the same tree.
    pub visits: u32,
    /// The action and the best actions after it, up to a chance node or the end of the tree.
    pub variation: Vec<A>,
    /// Whether the result is proven; the shares are then exact.
    pub proven: bool,
}

/// The maximum length of a variation. The tree knows little of the end of a longer one.
pub(crate) const VARIATION: usize = 32;

/// The number of virtual visits with the mean of the state that each line receives. With few visits, the order of the
/// lines is mostly luck. Measured: docs/explanation/search.md.
const BORROWED: f64 = 8.0;

/// The expected shares of the root, and a line for each of its actions, the best first. `proof` is its result, if known: a
/// proven action with it is the best. Estimates err less than rollouts, so their intervals are smaller.
pub(crate) fn summarize<G: Evaluate>(
    game: &G,
    state: &G::State,
    tree: &Tree<G::Action>,
    proof: Option<Proof>,
    action_stats: &[ActionStats],
    scoring: &Scoring,
    by_estimates: bool,
) -> (Vec<f64>, Vec<Line<G::Action>>) {
    let (actor, seats) = (game.to_act(state), game.seats());
    let children: Vec<_> = tree.root().children().into_iter().flat_map(Children::opened).collect();
    let mut order: Vec<usize> = (0..children.len()).collect();
    if let Actor::Seat(seat) = actor {
        let proven = (0..children.len()).filter(|&place| proof.is_some() && children[place].proof() == proof);
        let known = proven.max_by_key(|&place| rank(children[place], seat, scoring));
        let best = known.or_else(|| best(&children, seat, scoring));
        order.sort_by_key(|&place| Reverse((Some(place) == best, rank(children[place], seat, scoring))));
    } else {
        order.sort_by_key(|&place| Reverse(children[place].visits()));
    }
    // Visits of lost actions do not count: no player chooses them.
    let (mut own, mut weights, mut whole) = (0.0, 0.0, ActionStats::default());
    for (node, child_stats) in children.iter().zip(action_stats).filter(|(node, _)| !is_lost(node, actor, scoring)) {
        let weight = f64::from(node.visits()).sqrt();
        // In this order rounding never makes the mean larger than 1.
        own += weight * (node.sum() as f64 / f64::from(WHOLE));
        weights += weight * f64::from(node.visits());
        whole.add(child_stats);
    }
    let own = if weights > 0.0 { own / weights } else { 1.0 / seats as f64 };
    let line = |place: usize| {
        let (node, child_stats) = (children[place], &action_stats[place]);
        let visits = node.visits();
        let shares = match (node.proof(), actor) {
            (Some(proof), _) => in_parts(&Scoring::fair(seats).proven(proof), seats),
            (None, Actor::Seat(seat)) => {
                let sum = node.sum() as f64 / f64::from(WHOLE) + BORROWED * own;
                child_stats.shares_beside(seat, sum / (f64::from(visits) + BORROWED), seats)
            }
            _ => child_stats.shares(seats),
        };
        let (intervals, margins) = child_stats.bounds(&shares, visits, node.proof().is_some(), by_estimates);
        Line {
            action: node.action(),
            shares,
            intervals,
            margins,
            visits,
            variation: variation(game, state.clone(), node, scoring),
            proven: node.proof().is_some(),
        }
    };
    let lines: Vec<_> = order.into_iter().map(line).collect();
    let shares = match (proof, actor, lines.first()) {
        (Some(proof), ..) => in_parts(&Scoring::fair(seats).proven(proof), seats),
        (None, Actor::Seat(_), Some(best)) if best.proven => best.shares.clone(),
        (None, Actor::Seat(seat), _) => whole.shares_beside(seat, own, seats),
        _ => whole.shares(seats),
    };
    (shares, lines)
}

fn in_parts(shares: &Shares, seats: usize) -> Vec<f64> {
    (0..seats as Seat).map(|seat| f64::from(shares.get(seat)) / f64::from(WHOLE)).collect()
}

/// The index of the best child for the seat to act: a proven win, else the most visited child that is not lost. Another
/// child is better if it is proven and its share is higher.
fn best<A: Copy>(children: &[&Node<A>], seat: Seat, scoring: &Scoring) -> Option<usize> {
    let sure = |node: &Node<A>| node.proof().map(|proof| scoring.proven_share(proof, seat));
    let likely = (0..children.len()).max_by_key(|&place| rank(children[place], seat, scoring))?;
    let surest = (0..children.len()).max_by_key(|&place| sure(children[place]))?;
    let node = children[likely];
    let worth = match sure(node) {
        Some(share) => f64::from(share),
        None => mean(node.sum(), node.visits().max(1)) * f64::from(WHOLE),
    };
    let better = sure(children[surest]).is_some_and(|share| f64::from(share) > worth);
    Some(if better { surest } else { likely })
}

/// Whether the best child stays the best after `left` more simulations, if they prove no other child better.
pub(crate) fn is_decided<A: Copy>(children: &[&Node<A>], seat: Seat, scoring: &Scoring, left: f64) -> bool {
    let Some(best) = best(children, seat, scoring) else { return false };
    let visits = |node: &Node<A>| f64::from(node.visits());
    let behind = |(place, node): (usize, &&Node<A>)| {
        place == best || node.proof().is_some() || visits(children[best]) > visits(node) + left
    };
    children[best].visits() > 0 && children.iter().enumerate().all(behind)
}

/// Whether the child is a proven loss for the seat to act.
fn is_lost<A: Copy>(node: &Node<A>, actor: Actor, scoring: &Scoring) -> bool {
    matches!((actor, node.proof()), (Actor::Seat(seat), Some(proof)) if scoring.proven_share(proof, seat) == 0)
}

/// Orders children: proven wins first, proven losses last, otherwise by visits.
fn rank<A: Copy>(node: &Node<A>, seat: Seat, scoring: &Scoring) -> (u8, u32) {
    let class = match node.proof().map(|proof| scoring.proven_share(proof, seat)) {
        Some(WHOLE) => 2,
        Some(0) => 0,
        _ => 1,
    };
    (class, node.visits())
}

/// The action of a node and the best ones after it.
fn variation<G: Game>(game: &G, mut state: G::State, mut node: &Node<G::Action>, scoring: &Scoring) -> Vec<G::Action> {
    let mut actions = vec![node.action()];
    game.play_unchecked(&mut state, node.action());
    while let (Actor::Seat(seat), Some(children)) = (game.to_act(&state), node.children()) {
        let children: Vec<_> = children.opened().collect();
        let Some(place) = best(&children, seat, scoring) else { break };
        node = children[place];
        if actions.len() == VARIATION || node.visits() == 0 && node.proof().is_none() {
            break;
        }
        actions.push(node.action());
        game.play_unchecked(&mut state, node.action());
    }
    actions
}
