//! Forced results of the root's actions, before the first simulation.

use tavola_core::{Actor, CancelToken, Evaluate, Game, Instant, Seat, Solved};

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
    open.sift_solved(game);
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
        if let Some(solved) = game.solved(&after) {
            child.prove(Proof::of(solved.winners));
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

impl<G: Evaluate> Open<'_, G> {
    /// Proves what a solution of the game tells: the shortest win, or the losses. If all actions lose, the longest stay
    /// unproven.
    fn sift_solved(&mut self, game: &G) {
        let decided = |(place, (_, after)): (usize, &(_, G::State))| {
            let Solved { winners, plies } = game.solved(after).filter(|solved| solved.winners.len() == 1)?;
            Some((place, winners.iter().next()?, plies.unwrap_or(u32::MAX)))
        };
        let decided: Vec<_> = self.actions.iter().enumerate().filter_map(decided).collect();
        let wins = decided.iter().filter(|&&(_, winner, _)| winner == self.seat);
        if let Some(&(place, ..)) = wins.min_by_key(|&&(_, _, plies)| plies) {
            self.win(place);
            return;
        }
        let all = decided.len() == self.actions.len();
        let longest = decided.iter().map(|&(_, _, plies)| plies).max().filter(|_| all);
        let shorter = decided.into_iter().filter(|&(_, _, plies)| Some(plies) != longest);
        let lost: Vec<_> = shorter.map(|(place, winner, _)| (place, winner)).collect();
        self.lose(&lost);
    }

    /// Proves the actions for which `winner` returns a seat, unless they all lose. Returns false if that decides the root.
    fn sift(&mut self, mut winner: impl FnMut(&G::State) -> Option<Seat>) -> bool {
        if self.root.proof().is_some() {
            return false;
        }
        let mut decided = Vec::new();
        for (place, (_, after)) in self.actions.iter().enumerate() {
            match winner(after) {
                Some(winner) if winner == self.seat => {
                    self.win(place);
                    return false;
                }
                Some(winner) => decided.push((place, winner)),
                None => {}
            }
        }
        let open = decided.len() < self.actions.len();
        if open {
            self.lose(&decided);
        }
        open
    }

    /// Proves that the action at this place wins, and with it the root.
    fn win(&self, place: usize) {
        self.actions[place].0.prove(Proof::win(self.seat));
        self.root.prove(Proof::win(self.seat));
    }

    /// Proves that these actions lose, each to a seat.
    fn lose(&mut self, lost: &[(usize, Seat)]) {
        for &(place, winner) in lost.iter().rev() {
            self.actions.swap_remove(place).0.prove(Proof::win(winner));
        }
    }
}
