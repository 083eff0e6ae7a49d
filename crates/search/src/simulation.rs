//! One simulation: select, expand, play out, back up.

mod guide;

use std::time::Duration;

use tavola_core::{Actor, Evaluate, Game, MAX_SEATS as SEATS, Playout, Random, Seat};

use crate::analysis;
use crate::budget::SharedBudget;
use crate::limits::{Limits, Purpose, Rollouts};
use crate::node::Children;
use crate::node::Node;
use crate::puct::SharedEvaluator;
use crate::stats::ActionStats;
use crate::tree::{Room, Tree};
use crate::value::{Proof, Scoring, Shares, WHOLE};

use guide::{Arrival, Guide};

/// The exploration constant of UCT, tuned by matches (`benches/README.md`).
const EXPLORATION: f32 = 0.7;

/// The same where the game prefers evaluation to rollouts: an estimate has less variance than a rollout.
const EXPLORATION_WITH_EVALUATION: f32 = 0.07;

/// A chance node with more outcomes than this stays a leaf: its subtrees would have too few visits.
pub(crate) const OUTCOMES: usize = 1024;

/// The number of simulations of a bundle. With several threads, each runs a bundle below one node before it returns to the
/// top of the tree, where threads contend for the same counters.
const BUNDLE: u32 = 16;

/// The number of virtual losses of a bundle in progress, so that other threads take another path.
const LOST: u32 = 4;

/// The minimum number of visits of a node at which a bundle begins.
const WELL_KNOWN: u32 = 256;

/// A rollout with more actions counts as a draw.
const ROLLOUT_ACTIONS: u32 = 10_000;

/// The duration of the simulations that a thread takes at a time.
const BATCH: Duration = Duration::from_millis(1);
const BATCH_MOST: u64 = 1024;

/// A node of the common path of a bundle.
struct TrunkNode<'a, A> {
    node: &'a Node<A>,
    /// The actor at the node.
    actor: Actor,
    /// The sum that was added to the child in advance, and its visits before.
    expected: u64,
    visits: u32,
}

/// One thread of a search. Its buffers serve every simulation.
pub(crate) struct Worker<'a, G: Game> {
    game: &'a G,
    root: &'a G::State,
    tree: &'a Tree<G::Action>,
    rollouts: Rollouts,
    /// Replaces rollouts and the game's own evaluation.
    guide: Option<Guide<'a, G>>,
    purpose: Purpose,
    scoring: Scoring,
    bundle: u32,
    random: Random,
    state: G::State,
    /// The path from the root to the first node of a bundle.
    trunk: Vec<TrunkNode<'a, G::Action>>,
    /// The state at which a bundle begins.
    fork: G::State,
    /// The path from there to the node of the simulation, with the actor at each node.
    path: Vec<(&'a Node<G::Action>, Actor)>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, u64)>,
    action_values: Vec<f32>,
    action_stats: Vec<ActionStats>,
    room: Room,
}

impl<'a, G: Playout + Evaluate> Worker<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        root: &'a G::State,
        tree: &'a Tree<G::Action>,
        evaluator: Option<&'a dyn SharedEvaluator<G>>,
        limits: &Limits,
        number: u64,
    ) -> Self {
        Self {
            game,
            root,
            tree,
            rollouts: limits.rollouts,
            guide: evaluator.map(|evaluator| Guide::new(evaluator, limits)),
            purpose: limits.purpose,
            scoring: limits.scoring(game, root),
            random: Random::stream(limits.seed, number),
            state: root.clone(),
            // An evaluation takes so long that threads hardly contend.
            bundle: if limits.threads.get() > 1 && evaluator.is_none() { BUNDLE } else { 1 },
            trunk: Vec::new(),
            fork: root.clone(),
            path: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            action_values: Vec::new(),
            action_stats: Vec::new(),
            room: Room::default(),
        }
    }

    /// Expands all children of the root before the first simulation, and applies their proofs to a kept root.
    pub(crate) fn expand_root(&mut self) {
        let (root, actor) = (self.tree.root(), self.game.to_act(self.root));
        self.state.clone_from(self.root);
        self.room = Room::without_limit();
        if let Some(children) = root.children().or_else(|| self.expand(root, actor)) {
            for part in 1.. {
                if children.place_of(part).is_none() {
                    break;
                }
                self.open(children, part);
            }
            propagate_proof(root, children, actor, &self.scoring);
        }
        self.tree.settle(&std::mem::take(&mut self.room));
    }

    /// Simulates until the budget is spent, the root is proven, or the choice is made.
    pub(crate) fn run(mut self, budget: &SharedBudget) -> Vec<ActionStats> {
        let root = self.tree.root();
        self.action_stats = vec![ActionStats::default(); root.children().map_or(0, Children::len)];
        let mut size = 1;
        loop {
            let taken = budget.take(size);
            if taken == 0 {
                break; // Other threads may still run the rest.
            }
            let began = budget.now();
            let mut simulated = 0;
            while simulated < taken && root.proof().is_none() && !budget.is_over() {
                simulated += self.simulate_bundle(root, taken - simulated, budget);
            }
            budget.give_back(taken - simulated);
            if simulated < taken || self.has_chosen(budget) {
                budget.end();
                break;
            }
            // Without a time limit the clock has no effect, so that the same seed ends after the same simulation.
            let slow = budget.is_timed() && budget.now() - began >= BATCH / 2;
            size = if slow { size.div_ceil(2) } else { BATCH_MOST.min(size * 2) };
        }
        self.tree.settle(&self.room);
        self.action_stats
    }

    /// Whether the purpose is a choice, and the best action cannot change any more.
    fn has_chosen(&self, budget: &SharedBudget) -> bool {
        let (Purpose::Choose, Actor::Seat(seat)) = (self.purpose, self.game.to_act(self.root)) else { return false };
        let children: Vec<_> = self.tree.root().children().into_iter().flat_map(Children::opened).collect();
        analysis::is_decided(&children, seat, &self.scoring, budget.left())
    }

    /// Runs a bundle of at most `most` simulations with a common path. Returns their number.
    fn simulate_bundle(&mut self, root: &'a Node<G::Action>, most: u64, budget: &SharedBudget) -> u64 {
        let some = self.bundle.min(most as u32);
        let (mut top, mut first) = (root, None);
        // 1. Descend through nodes with many visits. Most simulations of a bundle in progress count with the mean share, so
        // that the bundle does not look like a loss while this thread waits.
        while some > 1
            && top.proof().is_none()
            && let Some(children) = top.children()
        {
            self.state.clone_from(&self.fork);
            let actor = self.game.to_act(&self.fork);
            let Some((place, child)) = self.choose(top, actor, children, top.visits(), self.trunk.is_empty()) else {
                propagate_proof(top, children, actor, &self.scoring);
                break;
            };
            if child.visits() < WELL_KNOWN {
                break;
            }
            let expected = child.sum() / u64::from(child.visits()) * u64::from(some.saturating_sub(LOST));
            child.leave(expected);
            self.trunk.push(TrunkNode { node: top, actor, expected, visits: child.enter(some) });
            first.get_or_insert(place);
            top = child;
            self.game.play_unchecked(&mut self.fork, child.action());
        }
        // 2. Simulate from there.
        let mut visits = self.trunk.last().map_or(0, |step| step.visits);
        let mut sums = [0; SEATS];
        let mut simulated = 0;
        while simulated == 0 || simulated < some && top.proof().is_none() && !budget.is_over() {
            if self.trunk.is_empty() {
                visits = root.enter(1);
            }
            let shares = self.simulate(top, visits, first);
            visits += 1;
            sums.iter_mut().zip(shares.all()).for_each(|(sum, share)| *sum += u64::from(share));
            simulated += 1;
        }
        // 3. Correct the sums of the nodes above.
        if !self.trunk.is_empty() {
            root.enter(simulated);
            self.fork.clone_from(self.root);
        }
        while let Some(TrunkNode { node, actor, expected, .. }) = self.trunk.pop() {
            let actual = actor.seat().map_or(0, |seat| sums[usize::from(seat)]);
            top.correct(some - simulated, expected, actual);
            if top.proof().is_some() && node.proof().is_none() {
                propagate_proof(node, node.children().expect("a parent has children"), actor, &self.scoring);
            }
            top = node;
        }
        simulated.into()
    }

    /// Runs one simulation from a node with `visits` earlier visits. Returns the shares.
    fn simulate(&mut self, top: &'a Node<G::Action>, mut visits: u32, mut first: Option<usize>) -> Shares {
        self.state.clone_from(&self.fork);
        self.path.clear();
        let mut node = top;
        let shares = loop {
            // 1. A proven node needs no search.
            let actor = self.game.to_act(&self.state);
            if actor == Actor::Terminal && node.proof().is_none() {
                node.prove(Proof::of(self.game.outcome(&self.state).expect("the game is over").winners));
            }
            if visits == 0
                && let (Actor::Seat(seat), Rollouts::Policy) = (actor, self.rollouts)
                && self.game.winning_action(&self.state).is_some()
            {
                node.prove(Proof::win(seat));
            }
            if let Some(proof) = node.proof() {
                self.path.push((node, actor));
                break self.scoring.proven(proof);
            }
            // 2. A leaf ends the simulation.
            let children = match node.children().map_or_else(|| self.arrive(node, actor, visits), Arrival::Inner) {
                Arrival::Inner(children) => children,
                Arrival::Leaf(shares) => {
                    self.path.push((node, actor));
                    break shares;
                }
            };
            // 3. Select a child and descend. There is none if another thread has just proven the last one.
            let at_root = self.trunk.is_empty() && self.path.is_empty();
            let Some((place, child)) = self.choose(node, actor, children, visits, at_root) else {
                propagate_proof(node, children, actor, &self.scoring);
                continue;
            };
            self.path.push((node, actor));
            first.get_or_insert(place);
            node = child;
            visits = if self.guide.is_some() { node.enter_with_prior() } else { node.enter(1) };
            self.game.play_unchecked(&mut self.state, node.action());
        };
        let shares = self.back_up(shares);
        if let Some(first) = first {
            self.action_stats[first].count(shares, self.game.seats());
        }
        shares
    }

    /// Values a leaf. With an evaluator, the first visit also expands it; otherwise the second one does, if there is room, and
    /// other visits run a rollout or estimate the shares.
    fn arrive(&mut self, node: &'a Node<G::Action>, actor: Actor, visits: u32) -> Arrival<'a, G::Action> {
        if self.guide.is_some() {
            return self.arrive_with_guide(node, actor);
        }
        if visits > 0
            && let Some(children) = self.expand(node, actor)
        {
            return Arrival::Inner(children);
        }
        Arrival::Leaf(if self.prefers_evaluation() { self.evaluate_leaf() } else { self.play_out() })
    }

    /// Selects a child; `None` if all are proven.
    fn choose(
        &mut self,
        node: &Node<G::Action>,
        actor: Actor,
        children: &'a Children<G::Action>,
        visits: u32,
        at_root: bool,
    ) -> Option<(usize, &'a Node<G::Action>)> {
        let Actor::Seat(seat) = actor else {
            self.outcomes.clear();
            self.game.chance_outcomes(&self.state, &mut self.outcomes);
            let place = self.random.weighted(self.outcomes.iter().map(|&(_, weight)| weight));
            return Some((place, children.get(place)));
        };
        if let Some(guide) = &self.guide {
            let scale = guide.scale(visits);
            return self.choose_by_priors(node, seat, children, scale, at_root);
        }
        let exploration = if self.prefers_evaluation() { EXPLORATION_WITH_EVALUATION } else { EXPLORATION };
        let curiosity = exploration * logarithm(visits).sqrt();
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        let mut place = 0;
        let mut number = 0;
        // The priors of unvisited children descend, so the first of them is enough.
        while let Some(part) = children.part(number).or_else(|| self.open(children, number)) {
            for child in part {
                if self.is_closed(child, seat, at_root) {
                    place += 1;
                    continue;
                }
                let unseen = child.visits() == 0;
                let score = if unseen { child.prior() + curiosity } else { child.score(curiosity) };
                if unseen && score.is_nan() {
                    return Some((place, child));
                }
                if score > most {
                    (best, most) = (Some((place, child)), score);
                }
                if unseen {
                    return best;
                }
                place += 1;
            }
            number += 1;
        }
        best
    }

    /// Whether a seat never chooses a child: a proven loss. Other proven results compete by their share, except at the root,
    /// where more visits would add no information.
    fn is_closed(&self, child: &Node<G::Action>, seat: Seat, at_root: bool) -> bool {
        child.proof().is_some_and(|proof| at_root || self.scoring.proven_share(proof, seat) == 0)
    }

    /// Opens a block of a node's children; `None` if there is none, or no room.
    #[cold]
    fn open(&mut self, children: &'a Children<G::Action>, part: usize) -> Option<&'a [Node<G::Action>]> {
        children.place_of(part)?;
        self.list_actions();
        self.tree.open(children, part, &mut self.room, &self.actions, &self.action_values)
    }

    /// Lists the legal actions, and their priors or values if there are any.
    fn list_actions(&mut self) {
        self.actions.clear();
        self.action_values.clear();
        self.game.legal_actions(&self.state, &mut self.actions);
        if self.guide.is_some() {
            self.list_priors();
        } else if self.prefers_evaluation() {
            self.game.action_values(&self.state, &self.actions, &mut self.action_values);
        }
    }

    /// Expands a node.
    fn expand(&mut self, node: &'a Node<G::Action>, actor: Actor) -> Option<&'a Children<G::Action>> {
        if actor == Actor::Chance {
            self.outcomes.clear();
            self.game.chance_outcomes(&self.state, &mut self.outcomes);
            if self.outcomes.len() > OUTCOMES {
                return None;
            }
            self.actions.clear();
            self.actions.extend(self.outcomes.iter().map(|&(outcome, _)| outcome));
            let (actions, bytes) = (&self.actions, Children::<G::Action>::bytes_of(self.actions.len()));
            return self.tree.expand(node, &mut self.room, bytes, || Children::all(actions));
        }
        self.list_actions();
        self.note_worth(node, actor);
        let seed = self.random.word() as u32;
        let (actions, action_values) = (&self.actions, &self.action_values);
        let bytes = Children::<G::Action>::bytes_of_first(actions.len());
        self.tree.expand(node, &mut self.room, bytes, || Children::new(actions, action_values, seed))
    }

    /// Whether the game's evaluation replaces rollouts.
    fn prefers_evaluation(&self) -> bool {
        self.rollouts.use_evaluation(self.game)
    }

    /// The estimated shares after the action with the highest value.
    fn evaluate_leaf(&mut self) -> Shares {
        while self.game.to_act(&self.state) == Actor::Chance {
            let outcome = self.game.random_outcome(&self.state, &mut self.random);
            self.game.play_unchecked(&mut self.state, outcome);
        }
        if let Actor::Seat(_) = self.game.to_act(&self.state) {
            self.list_actions();
            let best = (0..self.actions.len()).max_by(|&a, &b| self.action_values[a].total_cmp(&self.action_values[b]));
            self.game.play_unchecked(&mut self.state, self.actions[best.expect("a seat can always act")]);
        }
        match self.game.outcome(&self.state) {
            Some(outcome) => self.scoring.of(outcome.winners),
            None => Shares::expected(self.game.estimate(&self.state)),
        }
    }

    /// Runs a rollout to the end of the game.
    fn play_out(&mut self) -> Shares {
        match self.rollouts {
            Rollouts::Uniform => {
                self.game.play_out(&mut self.state, ROLLOUT_ACTIONS, &mut self.random);
            }
            Rollouts::Policy => self.play_out_by_policy(),
        }
        let winners = self.game.outcome(&self.state).map(|outcome| outcome.winners).unwrap_or_default();
        self.scoring.of(winners)
    }

    fn play_out_by_policy(&mut self) {
        for _ in 0..ROLLOUT_ACTIONS {
            match self.game.to_act(&self.state) {
                Actor::Seat(_) => {
                    let action = self.game.rollout_action(&self.state, &mut self.random);
                    self.game.play_unchecked(&mut self.state, action);
                }
                Actor::Chance => self.game.play_random_action(&mut self.state, &mut self.random),
                Actor::Terminal => break,
            }
        }
    }

    /// Adds the shares to the nodes of the path. Above a proven node the proven shares count. Returns the shares at the
    /// first node.
    fn back_up(&mut self, mut shares: Shares) -> Shares {
        while let Some((node, _)) = self.path.pop() {
            let Some(&(parent, actor)) = self.path.last() else { break };
            if let Actor::Seat(seat) = actor {
                node.leave(shares.get(seat).into());
            }
            if node.proof().is_some() && parent.proof().is_none() {
                let children = parent.children().expect("a parent has children");
                propagate_proof(parent, children, actor, &self.scoring);
            }
            if let Some(proof) = parent.proof() {
                shares = self.scoring.proven(proof);
            }
        }
        shares
    }
}

/// The natural logarithm of a number of visits, by linear interpolation between powers of two. It is fast and at most 0.06
/// too small. It is the same on every machine, so that a seed gives the same tree everywhere.
#[inline]
fn logarithm(visits: u32) -> f32 {
    const ONE: u32 = 1.0f32.to_bits();
    (visits.max(1) as f32).to_bits().wrapping_sub(ONE) as f32 * (std::f32::consts::LN_2 / (1 << 23) as f32)
}

/// Proves a node if the proofs of its children suffice.
///
/// One child in which the seat to act wins alone proves a node. Otherwise the best child does once all are proven. The
/// children of a chance node prove it only if they all have the same result.
pub(crate) fn propagate_proof<A: Copy>(node: &Node<A>, children: &Children<A>, actor: Actor, scoring: &Scoring) {
    let Actor::Seat(seat) = actor else {
        let first = children.get(0).proof();
        if let Some(proof) = first
            && children.opened().all(|child| child.proof() == first)
        {
            node.prove(proof);
        }
        return;
    };
    let mut seen = 0;
    let mut open = false;
    let mut best: Option<(u32, Proof)> = None;
    for child in children.opened() {
        seen += 1;
        match child.proof() {
            None => open = true,
            Some(proof) => {
                let share = scoring.proven_share(proof, seat);
                if best.is_none_or(|(most, _)| share > most) {
                    best = Some((share, proof));
                }
            }
        }
    }
    if let Some((share, proof)) = best
        && (share == WHOLE || !open && seen == children.len())
    {
        node.prove(proof);
    }
}
