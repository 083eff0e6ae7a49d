//! Forced results of the root's actions, before the first simulation.

use tavola_core::{Actor, CancelToken, Evaluate, Game, Instant, Seat};

use crate::budget::PositionBudget;
use crate::node::Children;
use crate::node::Node;
use crate::proof::prove::Prover;
use crate::proof::turns::Turns;
use crate::simulation::propagate_proof;
use crate::tree::Tree;
use crate::value::{Proof, Scoring};

/// The budget in positions of the search through turns, and again of the search by depth.
const POSITIONS: u64 = 150_000;

/// The depth to which every line can be searched. From this lookahead on, the search also follows turns to their ends,
/// however many actions they have.
pub(crate) const NEAR: u32 = 5;

/// Proves the actions that force a win in this turn or a loss in the next one, within `lookahead` actions, or by a
/// solution of the game. The search then spends no time on them.
///
/// If all actions lose, those that delay the loss longest stay unproven, so that the search chooses among them.
pub(crate) fn mark<G: Evaluate>(
    game: &G,
    state: &G::State,
    tree: &Tree<G::Action>,
    lookahead: u32,
    deadline: Option<Instant>,
    stop: &CancelToken,
) {
    let (Actor::Seat(seat), root) = (game.to_act(state), tree.root()) else { return };
    let mut open: Open<'_, G> = Open { root, seat, actions: unproven(game, state, root).collect() };
    open.sift(|after| {
        game.solved(after).map(|result| result.winners).filter(|winners| winners.len() == 1)?.iter().next()
    });
    if lookahead >= NEAR {
        let mut turns = Turns::new(game, state, seat, PositionBudget::new(stop, deadline, POSITIONS));
        let others = (0..game.seats() as Seat).filter(|&other| other != seat);
        open.sift(|after| turns.wins(after, seat).then_some(seat));
        open.sift(|after| others.clone().find(|&other| turns.wins(after, other)));
    }
    let mut prover = Prover::new(game, stop, deadline, POSITIONS);
    for plies in 0..lookahead {
        if !open.sift(|after| prover.winner(after, plies)) {
            return;
        }
    }
}

/// Proves the actions whose results a solution of the game tells, draws too, once the search has ordered them.
pub(crate) fn mark_solved<G: Evaluate>(game: &G, state: &G::State, tree: &Tree<G::Action>, scoring: &Scoring) {
    let (actor, root) = (game.to_act(state), tree.root());
    let (Actor::Seat(_), Some(children)) = (actor, root.children()) else { return };
    for (child, after) in unproven(game, state, root) {
        if let Some(result) = game.solved(&after) {
            child.prove(Proof::of(result.winners));
        }
    }
    propagate_proof(root, children, actor, scoring);
}

/// The unproven actions of the root, each with the state after it.
fn unproven<'a, G: Game>(
    game: &G,
    state: &G::State,
    root: &'a Node<G::Action>,
) -> impl Iterator<Item = (&'a Node<G::Action>, G::State)> {
    let children = root.children().into_iter().flat_map(Children::opened);
    children.filter(|child| child.proof().is_none()).map(|child| {
        let mut after = state.clone();
        game.play_unchecked(&mut after, child.action());
        (child, after)
    })
}

/// The unproven actions of the root.
struct Open<'a, G: Game> {
    root: &'a Node<G::Action>,
    seat: Seat,
    /// Each with the state after it.
    actions: Vec<(&'a Node<G::Action>, G::State)>,
}

impl<G: Game> Open<'_, G> {
    /// Proves the actions for which `winner` returns a seat, unless they all lose. Returns false if that decides the root.
    fn sift(&mut self, mut winner: impl FnMut(&G::State) -> Option<Seat>) -> bool {
        if self.root.proof().is_some() {
            return false;
        }
        let mut lost = Vec::new();
        for (place, (child, after)) in self.actions.iter().enumerate() {
            match winner(after) {
                Some(winner) if winner == self.seat => {
                    child.prove(Proof::win(winner));
                    self.root.prove(Proof::win(winner));
                    return false;
                }
                Some(winner) => lost.push((place, winner)),
                None => {}
            }
        }
        if lost.len() == self.actions.len() {
            return false;
        }
        for (place, winner) in lost.into_iter().rev() {
            self.actions.swap_remove(place).0.prove(Proof::win(winner));
        }
        true
    }
}
