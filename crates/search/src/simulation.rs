//! One simulation: select, expand, play out, back up.

use std::time::Duration;

use tavola_core::{Actor, Evaluate, Game, MAX_SEATS as SEATS, Playout, Random};

use crate::analysis;
use crate::budget::SharedBudget;
use crate::limits::{Limits, Purpose, Rollouts};
use crate::node::Children;
use crate::node::Node;
use crate::stats::ActionStats;
use crate::tree::{Room, Tree};
use crate::value::{Proof, Scoring, Shares, WHOLE};

/// How much a seat prefers what it knows little of. Found by playing matches (`benches/README.md`).
const EXPLORATION: f32 = 0.7;

/// The same where the game prefers evaluation to rollouts: an estimate has less variance than a rollout.
const EXPLORATION_WITH_EVALUATION: f32 = 0.07;

/// Chance with more outcomes than this stays a leaf: its subtrees would be too thin to say anything.
const OUTCOMES: usize = 1024;

/// Of several threads, each makes so many simulations one after the other below a node that it has gone down to, before
/// it looks at the top of the tree again: there the threads would wait for each other's counts at every step.
const BUNDLE: u32 = 16;

/// So many of a bundle look lost to the other threads until it is made, so that they take another way.
const LOST: u32 = 4;

/// A bundle begins at a node that has so many visits at least: to it, sixteen at once are not many.
const WELL_KNOWN: u32 = 256;

/// A playout that has not ended after so many actions counts as equal shares.
const ROLLOUT_ACTIONS: u32 = 10_000;

/// A thread takes as many simulations at a time as make about this long.
const BATCH: Duration = Duration::from_millis(1);
const BATCH_MOST: u64 = 1024;

/// A step on the way that a bundle of simulations has in common.
struct Step<'a, A> {
    node: &'a Node<A>,
    /// Who acts at the node.
    actor: Actor,
    /// What was counted for the child beforehand, and how many visits it had before.
    expected: u64,
    visits: u32,
}

/// One thread's part of a search. Its buffers serve every simulation.
pub(crate) struct Worker<'a, G: Game> {
    game: &'a G,
    root: &'a G::State,
    tree: &'a Tree<G::Action>,
    rollouts: Rollouts,
    purpose: Purpose,
    scoring: Scoring,
    bundle: u32,
    random: Random,
    state: G::State,
    /// The nodes from the root to where a bundle of simulations begins.
    trunk: Vec<Step<'a, G::Action>>,
    /// The state where a bundle of simulations begins.
    fork: G::State,
    /// The nodes from there to where the simulation is, each with who acts there.
    path: Vec<(&'a Node<G::Action>, Actor)>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, u64)>,
    action_values: Vec<f32>,
    stats: Vec<ActionStats>,
    room: Room,
}

impl<'a, G: Playout + Evaluate> Worker<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        root: &'a G::State,
        tree: &'a Tree<G::Action>,
        limits: &Limits,
        number: u64,
    ) -> Self {
        Self {
            game,
            root,
            tree,
            rollouts: limits.rollouts,
            purpose: limits.purpose,
            scoring: limits.scoring(game, root),
            random: Random::stream(limits.seed, number),
            state: root.clone(),
            bundle: if limits.threads.get() > 1 { BUNDLE } else { 1 },
            trunk: Vec::new(),
            fork: root.clone(),
            path: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            action_values: Vec::new(),
            stats: Vec::new(),
            room: Room::default(),
        }
    }

    /// Expands the root, all of its children, before the first simulation; one that is already has what they prove.
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

    /// Simulates until the budget says that it is enough, the root is proven, or the choice is made.
    pub(crate) fn run(mut self, budget: &SharedBudget) -> Vec<ActionStats> {
        let root = self.tree.root();
        self.stats = vec![ActionStats::default(); root.children().map_or(0, Children::len)];
        let mut size = 1;
        loop {
            let taken = budget.take(size);
            if taken == 0 {
                break; // Others may still be at work on what they have taken.
            }
            let began = budget.now();
            let mut made = 0;
            while made < taken && root.proof().is_none() && !budget.is_over() {
                made += self.simulate_bundle(root, taken - made, budget);
            }
            budget.give_back(taken - made);
            if made < taken || self.has_chosen(budget) {
                budget.end();
                break;
            }
            // Without a limit of time the clock decides nothing, so that the same seed ends after the same simulation.
            let slow = budget.is_timed() && budget.now() - began >= BATCH / 2;
            size = if slow { size.div_ceil(2) } else { BATCH_MOST.min(size * 2) };
        }
        self.tree.settle(&self.room);
        self.stats
    }

    /// Whether an action is to be chosen, and no other can come to the front any more.
    fn has_chosen(&self, budget: &SharedBudget) -> bool {
        let (Purpose::Choose, Actor::Seat(seat)) = (self.purpose, self.game.to_act(self.root)) else { return false };
        let children: Vec<_> = self.tree.root().children().into_iter().flat_map(Children::opened).collect();
        analysis::is_decided(&children, seat, &self.scoring, budget.left())
    }

    /// Makes some simulations, at most so many, that have the beginning of their way in common; how many it made.
    fn simulate_bundle(&mut self, root: &'a Node<G::Action>, most: u64, budget: &SharedBudget) -> u64 {
        let some = self.bundle.min(most as u32);
        let (mut top, mut first) = (root, None);
        // 1. Go down where much is known. Until the bundle is made, most of its simulations count as bringing what others
        // have brought: if this thread has to wait meanwhile, the whole bundle must not look lost.
        while some > 1
            && top.proof().is_none()
            && let Some(children) = top.children()
        {
            self.state.clone_from(&self.fork);
            let actor = self.game.to_act(&self.fork);
            let Some((place, child)) = self.choose(actor, children, top.visits(), self.trunk.is_empty()) else {
                propagate_proof(top, children, actor, &self.scoring);
                break;
            };
            if child.visits() < WELL_KNOWN {
                break;
            }
            let expected = child.sum() / u64::from(child.visits()) * u64::from(some.saturating_sub(LOST));
            child.leave(expected);
            self.trunk.push(Step { node: top, actor, expected, visits: child.enter(some) });
            first.get_or_insert(place);
            top = child;
            self.game.play_unchecked(&mut self.fork, child.action());
        }
        // 2. Simulate from there.
        let mut visits = self.trunk.last().map_or(0, |step| step.visits);
        let mut sums = [0; SEATS];
        let mut made = 0;
        while made == 0 || made < some && top.proof().is_none() && !budget.is_over() {
            if self.trunk.is_empty() {
                visits = root.enter(1);
            }
            let shares = self.simulate(top, visits, first);
            visits += 1;
            sums.iter_mut().zip(shares.all()).for_each(|(sum, share)| *sum += u64::from(share));
            made += 1;
        }
        // 3. Tell the nodes above what it brought in truth.
        if !self.trunk.is_empty() {
            root.enter(made);
            self.fork.clone_from(self.root);
        }
        while let Some(Step { node, actor, expected, .. }) = self.trunk.pop() {
            let brought = actor.seat().map_or(0, |seat| sums[usize::from(seat)]);
            top.correct(some - made, expected, brought);
            if top.proof().is_some() && node.proof().is_none() {
                propagate_proof(node, node.children().expect("a parent has children"), actor, &self.scoring);
            }
            top = node;
        }
        made.into()
    }

    /// One simulation from a node on that had so many visits before; what it brought there.
    fn simulate(&mut self, top: &'a Node<G::Action>, mut visits: u32, mut first: Option<usize>) -> Shares {
        self.state.clone_from(&self.fork);
        self.path.clear();
        let mut node = top;
        let shares = loop {
            // 1. Where the result is certain there is nothing to look for.
            let actor = self.game.to_act(&self.state);
            if actor == Actor::Terminal && node.proof().is_none() {
                node.prove(Proof::of(&self.game.outcome(&self.state).expect("nobody acts: it is over")));
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
            // 2. A leaf gets children on its second visit; on its first, or for want of room, it is played out, or
            // looked at with foresight.
            let children = match node.children() {
                None if visits > 0 => self.expand(node, actor),
                children => children,
            };
            let Some(children) = children else {
                self.path.push((node, actor));
                break if self.prefers_evaluation() { self.evaluate_leaf() } else { self.play_out() };
            };
            // 3. Choose, and go down. Nothing to choose: another thread has just proven the last child.
            let at_root = self.trunk.is_empty() && self.path.is_empty();
            let Some((place, child)) = self.choose(actor, children, visits, at_root) else {
                propagate_proof(node, children, actor, &self.scoring);
                continue;
            };
            self.path.push((node, actor));
            first.get_or_insert(place);
            node = child;
            visits = node.enter(1);
            self.game.play_unchecked(&mut self.state, node.action());
        };
        let shares = self.back_up(shares);
        if let Some(first) = first {
            self.stats[first].count(shares, self.game.seats());
        }
        shares
    }

    /// Which child to go to; `None` if none is worth a visit: all are proven.
    fn choose(
        &mut self,
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
        let exploration = if self.prefers_evaluation() { EXPLORATION_WITH_EVALUATION } else { EXPLORATION };
        let curiosity = exploration * logarithm(visits).sqrt();
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        let mut place = 0;
        let mut number = 0;
        // Those that have not been visited promise less, the farther behind they stand: one of them is enough.
        while let Some(part) = children.part(number).or_else(|| self.open(children, number)) {
            for child in part {
                // What is lost nobody chooses. Other proven results count as they do for the seat; except at the root,
                // where there is no more to learn from them.
                if child.proof().is_some_and(|proof| at_root || self.scoring.proven_share(proof, seat) == 0) {
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

    /// Lets a part of a node's children come into being; `None` if there is none, or no room.
    #[cold]
    fn open(&mut self, children: &'a Children<G::Action>, part: usize) -> Option<&'a [Node<G::Action>]> {
        children.place_of(part)?;
        self.list_actions();
        self.tree.open(children, part, &mut self.room, &self.actions, &self.action_values)
    }

    /// Lists the legal actions, and their values if the game prefers evaluation to rollouts.
    fn list_actions(&mut self) {
        self.actions.clear();
        self.action_values.clear();
        self.game.legal_actions(&self.state, &mut self.actions);
        if self.prefers_evaluation() {
            self.game.action_values(&self.state, &self.actions, &mut self.action_values);
        }
    }

    /// Gives the node its children.
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
        let seed = self.random.word() as u32;
        let (actions, action_values) = (&self.actions, &self.action_values);
        let bytes = Children::<G::Action>::bytes_of_first(actions.len());
        self.tree.expand(node, &mut self.room, bytes, || Children::new(actions, action_values, seed))
    }

    /// Whether the game's own sense stands in for games played out.
    fn prefers_evaluation(&self) -> bool {
        self.rollouts.use_evaluation(self.game)
    }

    /// What the seats can expect after the most promising action.
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

    /// Plays the game to its end.
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

    /// Adds what each seat got to the nodes of the path; from a proven node on upwards, what is certain counts. What it
    /// brought to the first of them.
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

/// The natural logarithm of a number of visits, by straight lines from one power of two to the next: fast, at most
/// 0.06 too small, and the same on every machine, so that a seed gives the same tree everywhere.
fn logarithm(visits: u32) -> f32 {
    const ONE: u32 = 1.0f32.to_bits();
    (visits.max(1) as f32).to_bits().wrapping_sub(ONE) as f32 * (std::f32::consts::LN_2 / (1 << 23) as f32)
}

/// Proves a node, if its children's proofs are enough.
///
/// A seat's node is proven by one child in which the seat wins alone, or else by the best of its children once all
/// are proven; a node of chance only when all its children have the same result.
fn propagate_proof<A: Copy>(node: &Node<A>, children: &Children<A>, actor: Actor, scoring: &Scoring) {
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
