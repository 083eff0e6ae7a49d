//! What is certain far ahead: forced wins and losses of more actions than every line can be looked at for.

use std::time::Instant;

use tavola_core::{Actor, CancelToken, Evaluate, Playout};

use crate::alphabeta::{FARTHEST, LOST, Table, WON, Worker};
use crate::budget::SharedBudget;
use crate::limits::Limits;
use crate::node::Children;
use crate::proof::root::NEAR;
use crate::tree::Tree;
use crate::value::Proof;

/// How many positions are looked at where neither nodes nor time are limited.
const POSITIONS: u64 = 1_000_000;

/// The positions that a table is to hold at most.
const MOST_KNOWN: u64 = 1 << 20;

/// Marks the root's actions that surely win or lose within `lookahead` actions, as far as that is seen with as many positions
/// as there may be simulations. Of two seats without chance.
///
/// This is alpha-beta with a window that holds nothing but the end: whether a win is forced, and whether a loss is, each
/// asked for itself. Almost any answer refutes a win that is not there, so it looks about twice as far as alpha-beta does
/// with estimates in the same time. If all actions are lost, none is marked: to be chosen among.
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
        // A line ends with an action that is seen and not played. Where the seats act in turns, that is after an odd number
        // of actions the other one's: no win of one's own is nearer than the one that was looked for before.
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
