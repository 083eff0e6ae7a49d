//! What is certain of the root's actions, before the first simulation.

use std::time::Instant;

use tavola_core::{Actor, CancelToken, Game, Seat};

use crate::budget::PositionBudget;
use crate::node::Children;
use crate::node::Node;
use crate::proof::prove::Prover;
use crate::proof::turns::Turns;
use crate::tree::Tree;
use crate::value::Proof;

/// At how many positions at most turns are looked at, and then so many actions ahead.
const POSITIONS: u64 = 150_000;

/// So many actions ahead every line can be looked at. Who sees that far sees turns to their ends too, however many actions
/// they have.
pub(crate) const NEAR: u32 = 5;

/// Marks the actions that surely win in their turn or lose in the next one, and those that do within `lookahead` actions, so
/// that the search wastes no time on what is certain.
///
/// If all are lost, those that hold out longest stay unmarked, to be chosen among.
pub(crate) fn mark<G: Game>(
    game: &G,
    state: &G::State,
    tree: &Tree<G::Action>,
    lookahead: u32,
    deadline: Option<Instant>,
    stop: &CancelToken,
) {
    let (Actor::Seat(seat), root) = (game.to_act(state), tree.root()) else { return };
    let children = root.children().into_iter().flat_map(Children::opened);
    let mut open: Open<'_, G> = Open { root, seat, actions: Vec::new() };
    for child in children.filter(|child| child.proof().is_none()) {
        let mut after = state.clone();
        game.play_unchecked(&mut after, child.action());
        open.actions.push((child, after));
    }
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

/// The actions of the root of which nothing is certain yet.
struct Open<'a, G: Game> {
    root: &'a Node<G::Action>,
    seat: Seat,
    /// Each with the state after it.
    actions: Vec<(&'a Node<G::Action>, G::State)>,
}

impl<G: Game> Open<'_, G> {
    /// Marks those of which `winner` knows who wins, unless they are all lost; false if that decides the root.
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
