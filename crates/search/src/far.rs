//! What is certain far ahead: forced wins and losses of more actions than every line can be looked at for.

use std::sync::atomic::AtomicBool;
use std::time::Instant;

use tavola_core::{Actor, Evaluate, Playout};

use crate::alphabeta::{LOST, Table, WON, Worker};
use crate::children::Children;
use crate::limits::Limits;
use crate::meter::Meter;
use crate::shares::Proof;
use crate::tree::Tree;

/// From how many actions ahead on; what is nearer has been looked at before.
const FROM: i32 = 5;

/// Marks the root's actions that surely win or lose within `sight` actions, as far as can be seen with as many positions
/// as there may be simulations.
pub(crate) fn mark<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    tree: &Tree<G::Action>,
    limits: &Limits,
    deadline: Option<Instant>,
    stop: &AtomicBool,
) {
    let (Actor::Seat(seat), root) = (game.to_act(state), tree.root()) else { return };
    let mut open: Vec<_> = root.children().into_iter().flat_map(Children::opened).collect();
    open.retain(|child| child.proof().is_none());
    let meter = Meter::proving_only(limits, deadline, stop);
    let entries = limits.nodes.unwrap_or(1 << 20).min(1 << 22) as usize;
    let tables = [0, 1].map(|_| Table::new(entries, [0; 2]));
    let [mut losing, mut winning] = tables.each_ref().map(|table| Worker::proving(game, state, table, &meter));
    for depth in FROM..limits.sight as i32 {
        // The last action of a line is seen without being played. After an even number it is the rival's.
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
