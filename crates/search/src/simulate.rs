//! One simulation: select, expand, play out, back up.

use std::time::{Duration, Instant};

use tavola_core::{Actor, Evaluate, Game, Playout, Random};

use crate::analysis;
use crate::limits::{Limits, Purpose, Rollouts};
use crate::meter::Meter;
use crate::shares::{Proof, Shares, WHOLE};
use crate::tally::Tally;
use crate::tree::{Node, Tree};

/// How much a seat prefers what it knows little of. Found by playing matches (`benches/README.md`).
const EXPLORATION: f32 = 0.7;

/// The same where the game foresees: an estimate scatters less than a game played out.
const EXPLORATION_WITH_FORESIGHT: f32 = 0.07;

/// Chance with more outcomes than this stays a leaf: its subtrees would be too thin to say anything.
const OUTCOMES: usize = 1024;

/// A playout that has not ended after so many actions counts as equal shares.
const ROLLOUT_ACTIONS: u32 = 10_000;

/// A thread takes as many simulations at a time as make about this long.
const BATCH: Duration = Duration::from_millis(1);
const BATCH_MOST: u64 = 1024;

/// One thread's part of a search. Its buffers serve every simulation.
pub(crate) struct Worker<'a, G: Game> {
    game: &'a G,
    root: &'a G::State,
    tree: &'a Tree<G::Action>,
    rollouts: Rollouts,
    purpose: Purpose,
    random: Random,
    state: G::State,
    /// The nodes from the root to where the simulation is, each with who acts there.
    path: Vec<(&'a Node<G::Action>, Actor)>,
    actions: Vec<G::Action>,
    outcomes: Vec<(G::Action, u64)>,
    promises: Vec<f32>,
    tallies: Vec<Tally>,
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
            random: Random::stream(limits.seed, number),
            state: root.clone(),
            path: Vec::new(),
            actions: Vec::new(),
            outcomes: Vec::new(),
            promises: Vec::new(),
            tallies: Vec::new(),
        }
    }

    /// Expands the root, before the first simulation; one that is already has what its children prove.
    pub(crate) fn grow_root(&mut self) {
        let (root, actor) = (self.tree.root(), self.game.to_act(self.root));
        match root.children() {
            None => _ = self.grow(root, actor),
            Some(children) => settle(root, children, actor, self.game.seats()),
        }
    }

    /// Simulates until the meter says that it is enough, the root is proven, or the choice is made.
    pub(crate) fn run(mut self, meter: &Meter) -> Vec<Tally> {
        let root = self.tree.root();
        self.tallies = vec![Tally::default(); root.children().map_or(0, <[_]>::len)];
        let mut size = 1;
        loop {
            let taken = meter.take(size);
            let began = Instant::now();
            let mut made = 0;
            while made < taken && root.proof().is_none() && !meter.is_over() {
                self.simulate(root);
                made += 1;
            }
            meter.give_back(taken - made);
            if made == 0 || made < taken || self.has_chosen(meter) {
                break;
            }
            // Without a limit of time the clock decides nothing, so that the same seed ends after the same simulation.
            let slow = meter.is_timed() && began.elapsed() >= BATCH / 2;
            size = if slow { size.div_ceil(2) } else { BATCH_MOST.min(size * 2) };
        }
        meter.end();
        self.tallies
    }

    /// Whether an action is to be chosen, and no other can come to the front any more.
    fn has_chosen(&self, meter: &Meter) -> bool {
        let (Purpose::Choose, Actor::Seat(seat)) = (self.purpose, self.game.to_act(self.root)) else { return false };
        let children = self.tree.root().children().unwrap_or_default();
        analysis::is_decided(children, seat, self.game.seats(), meter.left())
    }

    fn simulate(&mut self, root: &'a Node<G::Action>) {
        self.state.clone_from(self.root);
        self.path.clear();
        let mut first = None;
        let mut node = root;
        let mut visits = node.enter();
        let shares = loop {
            // 1. Where the result is certain there is nothing to look for.
            let actor = self.game.to_act(&self.state);
            if actor == Actor::Nobody && node.proof().is_none() {
                node.prove(Proof::of(&self.game.outcome(&self.state).expect("nobody acts: it is over")));
            }
            if visits == 0
                && let (Actor::Seat(seat), Rollouts::Sensible) = (actor, self.rollouts)
                && self.game.winning_action(&self.state).is_some()
            {
                node.prove(Proof::win(seat));
            }
            if let Some(proof) = node.proof() {
                self.path.push((node, actor));
                break proof.shares(self.game.seats());
            }
            // 2. A leaf gets children on its second visit; on its first, or for want of room, it is played out, or
            // looked at with foresight.
            let children = match node.children() {
                None if visits > 0 => self.grow(node, actor),
                children => children,
            };
            let Some(children) = children else {
                self.path.push((node, actor));
                break if self.foresees() { self.foresee() } else { self.play_out() };
            };
            // 3. Choose, and go down. Nothing to choose: another thread has just proven the last child.
            let Some(chosen) = self.choose(actor, children, visits) else {
                settle(node, children, actor, self.game.seats());
                continue;
            };
            self.path.push((node, actor));
            first.get_or_insert(chosen);
            node = &children[chosen];
            visits = node.enter();
            self.game.play_unchecked(&mut self.state, node.action());
        };
        self.back_up(shares, first);
    }

    /// Which child to go to; `None` if none is worth a visit: all are proven.
    fn choose(&mut self, actor: Actor, children: &[Node<G::Action>], visits: u32) -> Option<usize> {
        let Actor::Seat(seat) = actor else {
            self.outcomes.clear();
            self.game.chance_outcomes(&self.state, &mut self.outcomes);
            return Some(self.random.weighted(self.outcomes.iter().map(|&(_, weight)| weight)));
        };
        let seats = self.game.seats();
        let at_root = self.path.is_empty();
        let exploration = if self.foresees() { EXPLORATION_WITH_FORESIGHT } else { EXPLORATION };
        let curiosity = exploration * logarithm(visits).sqrt();
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        // From a random place on, so that the order of the actions favours none.
        let mut next = self.random.below(children.len() as u32) as usize;
        for _ in 0..children.len() {
            let place = next;
            next = if place + 1 == children.len() { 0 } else { place + 1 };
            let child = &children[place];
            // What is lost nobody chooses. Other proven results count as they do for the seat; except at the root,
            // where there is no more to learn from them.
            if child.proof().is_some_and(|proof| at_root || proof.share(seat, seats) == 0) {
                continue;
            }
            let score = if child.visits() > 0 {
                child.score(curiosity)
            } else if child.promise().is_nan() {
                return Some(place);
            } else {
                child.promise() + curiosity
            };
            if score > most {
                (best, most) = (Some(place), score);
            }
        }
        best
    }

    /// Gives the node its children.
    fn grow(&mut self, node: &'a Node<G::Action>, actor: Actor) -> Option<&'a [Node<G::Action>]> {
        self.actions.clear();
        self.promises.clear();
        if actor == Actor::Chance {
            self.outcomes.clear();
            self.game.chance_outcomes(&self.state, &mut self.outcomes);
            if self.outcomes.len() > OUTCOMES {
                return None;
            }
            self.actions.extend(self.outcomes.iter().map(|&(outcome, _)| outcome));
        } else {
            self.game.legal_actions(&self.state, &mut self.actions);
            if self.foresees() {
                self.game.promises(&self.state, &self.actions, &mut self.promises);
            }
        }
        self.tree.grow(node, &self.actions, &self.promises)
    }

    /// Whether the game's own sense stands in for games played out.
    fn foresees(&self) -> bool {
        self.game.foresees() && self.rollouts == Rollouts::Sensible
    }

    /// What the seats can expect after the most promising action.
    fn foresee(&mut self) -> Shares {
        while self.game.to_act(&self.state) == Actor::Chance {
            let outcome = self.game.random_outcome(&self.state, &mut self.random);
            self.game.play_unchecked(&mut self.state, outcome);
        }
        if let Actor::Seat(_) = self.game.to_act(&self.state) {
            self.actions.clear();
            self.promises.clear();
            self.game.legal_actions(&self.state, &mut self.actions);
            self.game.promises(&self.state, &self.actions, &mut self.promises);
            let best = (0..self.actions.len()).max_by(|&a, &b| self.promises[a].total_cmp(&self.promises[b]));
            self.game.play_unchecked(&mut self.state, self.actions[best.expect("a seat can always act")]);
        }
        match self.game.outcome(&self.state) {
            Some(outcome) => Shares::of(outcome.winners, self.game.seats()),
            None => Shares::expected(self.game.estimate(&self.state)),
        }
    }

    /// Plays the game to its end.
    fn play_out(&mut self) -> Shares {
        match self.rollouts {
            Rollouts::Uniform => {
                self.game.play_out(&mut self.state, ROLLOUT_ACTIONS, &mut self.random);
            }
            Rollouts::Sensible => self.play_out_with_sense(),
        }
        let winners = self.game.outcome(&self.state).map(|outcome| outcome.winners).unwrap_or_default();
        Shares::of(winners, self.game.seats())
    }

    fn play_out_with_sense(&mut self) {
        for _ in 0..ROLLOUT_ACTIONS {
            match self.game.to_act(&self.state) {
                Actor::Seat(_) => {
                    let action = self.game.sensible_action(&self.state, &mut self.random);
                    self.game.play_unchecked(&mut self.state, action);
                }
                Actor::Chance => self.game.play_randomly(&mut self.state, &mut self.random),
                Actor::Nobody => break,
            }
        }
    }

    /// Adds what each seat got to the nodes of the path; from a proven node on upwards, what is certain counts.
    fn back_up(&mut self, mut shares: Shares, first: Option<usize>) {
        while let Some((node, _)) = self.path.pop() {
            let Some(&(parent, actor)) = self.path.last() else { break };
            if let Actor::Seat(seat) = actor {
                node.leave(shares.get(seat));
            }
            if self.path.len() == 1 {
                let first = first.expect("a child of the root was chosen");
                self.tallies[first].count(shares, self.game.seats());
            }
            if node.proof().is_some() && parent.proof().is_none() {
                let children = parent.children().expect("a parent has children");
                settle(parent, children, actor, self.game.seats());
            }
            if let Some(proof) = parent.proof() {
                shares = proof.shares(self.game.seats());
            }
        }
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
fn settle<A: Copy>(node: &Node<A>, children: &[Node<A>], actor: Actor, seats: usize) {
    let Actor::Seat(seat) = actor else {
        let first = children[0].proof();
        if let Some(proof) = first
            && children.iter().all(|child| child.proof() == first)
        {
            node.prove(proof);
        }
        return;
    };
    let mut open = false;
    let mut best: Option<(u32, Proof)> = None;
    for child in children {
        match child.proof() {
            None => open = true,
            Some(proof) => {
                let share = proof.share(seat, seats);
                if best.is_none_or(|(most, _)| share > most) {
                    best = Some((share, proof));
                }
            }
        }
    }
    if let Some((share, proof)) = best
        && (share == WHOLE || !open)
    {
        node.prove(proof);
    }
}
