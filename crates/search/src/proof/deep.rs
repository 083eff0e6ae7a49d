//! Forced wins and losses deeper than an exhaustive search can go, by alpha-beta.

use tavola_core::{Actor, CancelToken, Evaluate, Instant, Playout};

use crate::alphabeta::{FARTHEST, LOST, Table, WON, Worker};
use crate::budget::SharedBudget;
use crate::limits::Limits;
use crate::node::Children;
use crate::proof::root::NEAR;
use crate::tree::Tree;
use crate::value::Proof;

/// The budget in positions without a limit of nodes or time.
const POSITIONS: u64 = 1_000_000;

/// The maximum number of entries of a table.
const MOST_KNOWN: u64 = 1 << 20;

/// Proves the root's actions that force a win or a loss within `lookahead` actions, with a budget of as many positions as
/// simulations. For two seats without chance.
///
/// It runs alpha-beta with a null window at a win, and separately at a loss. Almost any reply refutes a false win, so it
/// searches about twice as deep as alpha-beta with estimates in the same time. If all actions lose, none is proven, so that
/// the search chooses among them.
pub(crate) fn mark<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    tree: &Tree<G::Action>,
    limits: &Limits,
    deadline: Option<Instant>,
    stop: &CancelToken,
) {
    let (Actor::Seat(seat), root) = (game.to_act(state), tree.root()) else { return };
    let mut open: Vec<_> = root.children().into_iter().flat_map(Children::opened).collect();
    open.retain(|child| child.proof().is_none());
    let positions = limits.nodes.unwrap_or(if deadline.is_some() { u64::MAX } else { POSITIONS });
    let budget = SharedBudget::part(positions, deadline, stop);
    let tables = [(); 2].map(|()| Table::new(positions.min(MOST_KNOWN) as usize, [0; 2]));
    let [mut losing, mut winning] = tables.each_ref().map(|table| Worker::proving(game, state, table, &budget));
    for depth in NEAR as i32..limits.lookahead.min(FARTHEST) as i32 {
        // The last action of a line is evaluated, not played. With alternating seats it belongs to the other seat at odd
        // depths, where no new win is possible, so odd depths search for losses.
        let (worker, won) = if depth % 2 == 1 { (&mut losing, false) } else { (&mut winning, true) };
        let window = if won { (WON - 1, WON) } else { (LOST, LOST + 1) };
        let mut lost = Vec::new();
        for (place, child) in open.iter().enumerate() {
            let Some(value) = worker.try_root(seat, child.action(), depth, window) else { return };
            if won && value.sure && value.score >= WON {
                child.prove(Proof::win(seat));
                root.prove(Proof::win(seat));
                return;
            }
            if !won && value.sure && value.score <= LOST {
                lost.push(place);
            }
        }
        if lost.len() == open.len() {
            return;
        }
        for place in lost.into_iter().rev() {
            open.swap_remove(place).prove(Proof::win(1 - seat));
        }
    }
}
