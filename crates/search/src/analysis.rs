//! What the tree says in the end.

use std::cmp::Reverse;

use tavola_core::{Actor, Evaluate, Game, Outcome, Seat};

use crate::limits::Limits;
use crate::node::Children;
use crate::node::Node;
use crate::stats::ActionStats;
use crate::tree::Tree;
use crate::value::{Scoring, Shares, WHOLE, mean};

/// What a search found out about a state.
#[derive(Clone, Debug, PartialEq)]
pub struct Analysis<A> {
    /// The action to play; `None` if no seat acts.
    pub best: Option<A>,
    /// What each seat can expect to get of the game, from 0 to 1 and 1 in sum: the mean of the lines that are not lost, each
    /// counted by its visits to the power of 3/2. The best line says more, and most of that is hope. Equal while there are
    /// no visits. By alpha-beta, what the best line says.
    pub shares: Vec<f64>,
    /// Every action of the state, the best first. (Of chance, every outcome, the most visited first; none if there are
    /// thousands.)
    pub lines: Vec<Line<A>>,
    /// How many nodes were looked at, one per simulation.
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

impl<A> Analysis<A> {
    /// What there is to say of a finished game.
    pub(crate) fn of_outcome(outcome: &Outcome, seats: usize) -> Self {
        let shares = in_parts(&Scoring::fair(seats).of(outcome.winners), seats);
        Self { best: None, shares, lines: Vec::new(), nodes: 0, tree: 0, bytes: 0, full: false, seconds: 0.0 }
    }
}

/// One action of the state, and what was found out about it.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<A> {
    /// The action.
    pub action: A,
    /// What each seat can expect to get of the game, from 0 to 1 and 1 in sum: what the visits brought, and some more that
    /// are reckoned to have brought what those of the state did.
    pub shares: Vec<f64>,
    /// Between what bounds each seat's share lies in a search fifty times as long, 95 times of 100 (Agresti and Coull's
    /// interval, for no more games than the simulations are worth). From 0 to 1 while there are no visits; of no width if
    /// the result is proven. By alpha-beta: the lowest and highest value of the last depths; of an action that was
    /// refuted, everything up to the most that it can be worth, which its share says.
    pub intervals: Vec<(f64, f64)>,
    /// By how much each seat's share may be wrong by the scatter of the simulations alone, 95 times of 100: what remains
    /// between two searches of the same kind that are held against each other. By alpha-beta, half of the interval.
    pub margins: Vec<f64>,
    /// How many simulations began with the action, in earlier searches of the same tree too.
    pub visits: u32,
    /// The action and what would follow it, as long as seats choose and the tree knows.
    pub variation: Vec<A>,
    /// Whether the result is certain; the shares are then exact.
    pub proven: bool,
}

/// Longer variations nobody reads, and the tree knows little of their ends.
pub(crate) const VARIATION: usize = 32;

/// A line is told as if so many more of its visits had brought what those of the state did: where few were made, the best
/// line owes its place to luck, and the others theirs. Measured: docs/explanation/search.md.
const BORROWED: f64 = 8.0;

/// What each seat can expect of the root, and what each of its actions was found to be worth, the best first.
pub(crate) fn summarize<G: Evaluate>(
    game: &G,
    state: &G::State,
    tree: &Tree<G::Action>,
    stats: &[ActionStats],
    limits: &Limits,
) -> (Vec<f64>, Vec<Line<G::Action>>) {
    let (scoring, with_evaluation) = (&limits.scoring(game, state), limits.rollouts.use_evaluation(game));
    let (actor, seats) = (game.to_act(state), game.seats());
    let children: Vec<_> = tree.root().children().into_iter().flat_map(Children::opened).collect();
    let mut order: Vec<usize> = (0..children.len()).collect();
    if let Actor::Seat(seat) = actor {
        let best = best(&children, seat, scoring);
        order.sort_by_key(|&place| Reverse((Some(place) == best, rank(children[place], seat, scoring))));
    } else {
        order.sort_by_key(|&place| Reverse(children[place].visits()));
    }
    // Not what was tried before it was known to be lost: that nobody chooses.
    let (mut own, mut weights, mut whole) = (0.0, 0.0, ActionStats::default());
    for (node, stat) in children.iter().zip(stats).filter(|(node, _)| !is_lost(node, actor, scoring)) {
        let weight = f64::from(node.visits()).sqrt();
        // In this order no rounding makes more of what was won than of what was visited: the mean is 1 at most.
        own += weight * (node.sum() as f64 / f64::from(WHOLE));
        weights += weight * f64::from(node.visits());
        whole.add(stat);
    }
    let own = if weights > 0.0 { own / weights } else { 1.0 / seats as f64 };
    let line = |place: usize| {
        let (node, stat) = (children[place], &stats[place]);
        let visits = node.visits();
        let shares = match (node.proof(), actor) {
            (Some(proof), _) => in_parts(&Scoring::fair(seats).proven(proof), seats),
            (None, Actor::Seat(seat)) => {
                let sum = node.sum() as f64 / f64::from(WHOLE) + BORROWED * own;
                stat.shares_beside(seat, sum / (f64::from(visits) + BORROWED), seats)
            }
            _ => stat.shares(seats),
        };
        let interval = |(seat, &share): (usize, &f64)| match (node.proof(), visits) {
            (Some(_), _) => (share, share),
            (None, 0) => (0.0, 1.0),
            (None, visits) => stat.interval(seat, share, visits, with_evaluation),
        };
        let intervals = shares.iter().enumerate().map(interval).collect();
        let margin = |(seat, &share): (usize, &f64)| match (node.proof(), visits) {
            (Some(_), _) => 0.0,
            (None, 0) => 0.5,
            (None, visits) => stat.margin(seat, share, visits),
        };
        let margins = shares.iter().enumerate().map(margin).collect();
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
    let shares = match (tree.root().proof(), actor, lines.first()) {
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

/// The place of the best child for the seat that chooses: a sure win, else the most visited one that is not lost,
/// unless another is proven to give more than that one has given so far.
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

/// Whether the best child stays the best, if not more than so many simulations follow and none of them proves more.
pub(crate) fn is_decided<A: Copy>(children: &[&Node<A>], seat: Seat, scoring: &Scoring, left: f64) -> bool {
    let Some(best) = best(children, seat, scoring) else { return false };
    let visits = |node: &Node<A>| f64::from(node.visits());
    let behind = |(place, node): (usize, &&Node<A>)| {
        place == best || node.proof().is_some() || visits(children[best]) > visits(node) + left
    };
    children[best].visits() > 0 && children.iter().enumerate().all(behind)
}

/// Whether nobody who acts would choose it.
fn is_lost<A: Copy>(node: &Node<A>, actor: Actor, scoring: &Scoring) -> bool {
    matches!((actor, node.proof()), (Actor::Seat(seat), Some(proof)) if scoring.proven_share(proof, seat) == 0)
}

/// Sure wins first, sure losses last, and by visits among each other.
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
