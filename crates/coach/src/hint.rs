//! Hints during a game: the action of a short search, and the reasons for it.

use std::time::Duration;

use serde::Serialize;
use tavola_core::clock::Instant;
use tavola_core::{Actor, CancelToken, MoveLabel, Seat};
use tavola_registry::{AnyGame, AnyState, Limits, Line, SearchResult};

use crate::reason::{Code, Reason, counters, prevented, turn_of};

const NODES: u64 = 20_000;
/// The depth of the proofs of threats and wins, in actions.
const PLIES: u32 = 4;
/// The number of replies up to which threats are looked for.
const MOST_REPLIES: usize = 60;
/// The action that a short search prefers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hint {
    /// The action.
    pub token: String,
    /// The action as the list of moves shows it.
    #[serde(rename = "move")]
    pub moved: Option<MoveLabel>,
    /// The reasons, the most important first.
    pub reasons: Vec<Reason>,
}

/// Ends the search for reasons: a stop from another thread, or the end of the time.
struct Budget<'a> {
    stop: &'a CancelToken,
    until: Option<Instant>,
}

impl Budget<'_> {
    fn is_over(&self) -> bool {
        self.stop.should_stop() || self.until.is_some_and(|until| Instant::now() > until)
    }
}

/// Searches a position in which a seat is to act and explains the best action; `None` if no seat acts.
///
/// `seconds` limits the time; without it the hint depends on the position alone.
pub fn hint(game: &AnyGame, state: &AnyState, seconds: Option<f64>, stop: &CancelToken) -> Option<Hint> {
    let Actor::Seat(seat) = state.to_act() else { return None };
    let until = seconds.map(|seconds| Instant::now() + Duration::from_secs_f64(seconds));
    let limits = Limits { nodes: Some(NODES), seconds: seconds.map(|all| all / 2.0), seed: 1, ..Limits::default() };
    let found =
        game.best_searcher().search(state, &limits, stop).expect("every game can be searched by its own method");
    let found = found.expect("a state of the same game");
    let best = found.lines.first()?;
    let reasons = reasons(game, state, seat, &found, best, &Budget { stop, until });
    let moved = state.move_label(&best.action).expect("a legal action");
    Some(Hint { token: best.action.clone(), moved, reasons })
}

fn reasons(
    game: &AnyGame,
    state: &AnyState,
    seat: Seat,
    found: &SearchResult,
    best: &Line,
    budget: &Budget<'_>,
) -> Vec<Reason> {
    let own = usize::from(seat);
    if best.proven && best.shares[own] >= 1.0 {
        let proof = state.prove(PLIES, None, budget.stop);
        return vec![Reason::new(Code::Wins, proof.map(|proof| i64::from(proof.plies)))];
    }
    let mut reasons = Vec::from_iter(prevented(found, best, seat));
    let (_, after) = turn_of(state, best);
    if let Some((losing, replies)) = threats(game, &after, seat, budget) {
        reasons.push(Reason::counted(Code::Threatens, losing, replies));
    }
    reasons.extend(counters(state, &after, seat, Code::Gains));
    // Half to even, as Python rounds.
    let chances = (100.0 * found.shares[own]).round_ties_even();
    reasons.push(Reason::new(Code::Chances, Some(chances as i64)));
    reasons
}

/// How many replies lose to the seat, and the number of replies; `None` if less than half of them do. Only games
/// without chance have threats that can be proven.
fn threats(game: &AnyGame, after: &AnyState, seat: Seat, budget: &Budget<'_>) -> Option<(usize, usize)> {
    let Actor::Seat(other) = after.to_act() else { return None };
    if other == seat || game.info().has_chance {
        return None;
    }
    let view = after.view(Some(other));
    let count = view.actions.len();
    if count > MOST_REPLIES {
        return None;
    }
    let mut losing = 0;
    for reply in &view.actions {
        if budget.is_over() {
            return None;
        }
        let then = after.play(&reply.token).ok()?;
        let proof = if then.outcome().is_none() { then.prove(PLIES, None, budget.stop) } else { None };
        losing += usize::from(proof.is_some_and(|proof| proof.winner == seat));
    }
    (2 * losing >= count).then_some((losing, count))
}
