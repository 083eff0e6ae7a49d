//! One simulation: select down to a leaf, and back up.

use tavola_core::{Actor, Game, Playout, Seat};

use super::rule;
use super::settings::Settings;
use super::tree::{Kind, NodeId, ROOT, Shares, Tree, shares_of, win_of};
use crate::simulation::OUTCOMES;
use crate::value::Shares as IntegerShares;

/// A simulation that waits for an evaluation, with buffers for the next one.
pub(super) struct Pending<G: Game> {
    /// The number of the tree.
    pub(super) tree: usize,
    pub(super) purpose: Purpose,
    /// The position to evaluate.
    pub(super) state: G::State,
    pub(super) actions: Vec<G::Action>,
    /// The nodes from the root to the leaf.
    path: Vec<NodeId>,
    outcomes: Vec<(G::Action, u64)>,
}

/// The use of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The leaf gets edges and a value.
    Open,
    /// The leaf gets a value only.
    Value,
    /// The leaf already waits for an evaluation in this batch. The simulation is undone.
    Collision,
}

impl<G: Game> Pending<G> {
    pub(super) fn new(state: &G::State) -> Self {
        Self {
            tree: 0,
            purpose: Purpose::Open,
            state: state.clone(),
            actions: Vec::new(),
            path: Vec::new(),
            outcomes: Vec::new(),
        }
    }
}

impl<A: Copy + Eq> Tree<A> {
    /// Whether another simulation would add nothing.
    pub(super) fn is_done(&self, nodes: u32) -> bool {
        let root = self.node(ROOT);
        root.solved || root.visits >= nodes
    }

    /// Runs one simulation as far as possible. Returns whether it waits for an evaluation or is a collision; otherwise it is
    /// finished.
    pub(super) fn simulate<G: Playout<Action = A>>(
        &mut self,
        game: &G,
        root: &G::State,
        settings: &Settings,
        pending: &mut Pending<G>,
    ) -> bool {
        pending.state.clone_from(root);
        pending.path.clear();
        let mut node = ROOT;
        loop {
            pending.path.push(node);
            let entered = self.node_mut(node);
            entered.visits += 1;
            entered.in_progress += 1;
            if entered.solved {
                let shares = self.exact(node);
                self.back_up(&pending.path, shares);
                return false;
            }
            if entered.kind == Kind::New && self.arrive(game, node, settings, pending) {
                pending.purpose = Purpose::Open;
                return true;
            }
            let place = match self.node(node).kind {
                Kind::Terminal | Kind::New => {
                    let shares = self.exact(node);
                    self.back_up(&pending.path, shares);
                    return false;
                }
                Kind::Waiting => {
                    pending.purpose = Purpose::Collision;
                    return true;
                }
                Kind::ManyOutcomes => {
                    pending.purpose = Purpose::Value;
                    return self.sample(game, pending);
                }
                Kind::Chance => self.draw(node),
                Kind::Seat(seat) => self.select(node, seat, settings.c_puct),
            };
            let (action, child) = self.follow(node, place);
            game.play_unchecked(&mut pending.state, action);
            node = child;
        }
    }

    /// Prepares a node at its first visit. Returns whether it needs an evaluation.
    fn arrive<G: Playout<Action = A>>(
        &mut self,
        game: &G,
        node: NodeId,
        settings: &Settings,
        pending: &mut Pending<G>,
    ) -> bool {
        match game.to_act(&pending.state) {
            Actor::Terminal => {
                let outcome = game.outcome(&pending.state).expect("the game is over");
                self.node_mut(node).kind = Kind::Terminal;
                self.solve(node, &shares_of(&outcome, self.seats));
                false
            }
            Actor::Chance => {
                pending.outcomes.clear();
                game.chance_outcomes(&pending.state, &mut pending.outcomes);
                if pending.outcomes.len() > OUTCOMES {
                    self.node_mut(node).kind = Kind::ManyOutcomes;
                } else {
                    self.open_chance(node, &pending.outcomes);
                }
                false
            }
            Actor::Seat(seat) => {
                if node != ROOT && game.winning_action(&pending.state).is_some() {
                    self.solve(node, &win_of(seat));
                    return false;
                }
                pending.actions.clear();
                game.legal_actions(&pending.state, &mut pending.actions);
                if pending.actions.len() == 1 {
                    // A forced action needs no evaluation: the position after it is worth the same.
                    self.open(node, seat, &pending.actions, &mut [1.0], settings);
                    return false;
                }
                self.node_mut(node).kind = Kind::Waiting;
                true
            }
        }
    }

    /// Draws outcomes until a seat acts. Returns whether the position needs an evaluation; otherwise the game is over, and
    /// the simulation is finished.
    fn sample<G: Playout<Action = A>>(&mut self, game: &G, pending: &mut Pending<G>) -> bool {
        while game.to_act(&pending.state) == Actor::Chance {
            let outcome = game.random_outcome(&pending.state, &mut self.random);
            game.play_unchecked(&mut pending.state, outcome);
        }
        if let Some(outcome) = game.outcome(&pending.state) {
            let shares = shares_of(&outcome, self.seats);
            self.back_up(&pending.path, shares);
            return false;
        }
        pending.actions.clear();
        game.legal_actions(&pending.state, &mut pending.actions);
        true
    }

    /// Selects an edge by the PUCT rule: the highest mean share plus `c_puct` times prior times the root of the position's
    /// visits, divided by 1 plus the edge's visits.
    fn select(&self, node: NodeId, seat: Seat, c_puct: f32) -> usize {
        let own = self.node(node);
        let scale = rule::scale(c_puct, own.visits - 1);
        let (mut best, mut most) = (0, f32::NEG_INFINITY);
        let mut visited = 0.0;
        for (place, edge) in self.edges(node).iter().enumerate() {
            let Some(child) = edge.child() else {
                // The first unvisited edge has the highest prior of them.
                let worth = self.mean(node, usize::from(seat)) as f32;
                let score = rule::unvisited(worth, visited, edge.prior, scale);
                return if score > most { place } else { best };
            };
            visited += edge.prior;
            let share = self.share_for_choice(child, seat);
            let below = self.node(child);
            if below.solved && share <= 0.0 {
                continue; // A seat never chooses a proven loss.
            }
            let score = rule::visited(share, below.visits, edge.prior, scale);
            if score > most {
                (best, most) = (place, score);
            }
        }
        best
    }

    /// Gives a leaf its evaluation, and ends the simulation.
    pub(super) fn finish<G: Playout<Action = A>>(
        &mut self,
        game: &G,
        settings: &Settings,
        pending: &Pending<G>,
        priors: &mut [f32],
        evaluated: &[f32],
    ) {
        let leaf = *pending.path.last().expect("a path has a node");
        if pending.purpose == Purpose::Open {
            let seat = game.to_act(&pending.state).seat().expect("a seat acts");
            self.open(leaf, seat, &pending.actions, priors, settings);
            if leaf == ROOT {
                self.mark_winning_action(game, &pending.state, seat);
            }
        }
        let mut shares = Shares::default();
        let sum: f32 = evaluated.iter().sum();
        for (share, &evaluated) in shares.iter_mut().zip(evaluated) {
            *share = if sum > 0.0 { f64::from(evaluated) / f64::from(sum) } else { 1.0 / self.seats as f64 };
        }
        self.back_up(&pending.path, shares);
    }

    /// Solves the root if an action wins at once.
    fn mark_winning_action<G: Playout<Action = A>>(&mut self, game: &G, state: &G::State, seat: Seat) {
        let Some(winning) = game.winning_action(state) else { return };
        if let Some(place) = self.edges(ROOT).iter().position(|edge| edge.action == winning) {
            let (_, child) = self.follow(ROOT, place);
            self.solve(child, &win_of(seat));
            self.try_solve(ROOT);
        }
    }

    /// Removes a simulation that did not take place.
    pub(super) fn undo<G: Game>(&mut self, pending: &Pending<G>) {
        for &node in &pending.path {
            let node = self.node_mut(node);
            node.visits -= 1;
            node.in_progress -= 1;
        }
        if let (Purpose::Open, Some(&leaf)) = (pending.purpose, pending.path.last()) {
            self.node_mut(leaf).kind = Kind::New;
        }
    }

    /// Adds the shares to the nodes of the path. Above a solved node its exact shares count.
    fn back_up(&mut self, path: &[NodeId], mut shares: Shares) {
        for place in (0..path.len()).rev() {
            let node = path[place];
            if let Some(&child) = path.get(place + 1)
                && self.node(child).solved
                && !self.node(node).solved
            {
                self.try_solve(node);
            }
            if self.node(node).solved {
                shares = self.exact(node);
            } else {
                self.add(node, &shares);
            }
            self.node_mut(node).in_progress -= 1;
            if place == 1 {
                let (action, seats) = (self.place_at_root(node), self.seats);
                self.root_stats[action].count(IntegerShares::expected(shares.map(|share| share as f32)), seats);
            }
        }
    }
}
