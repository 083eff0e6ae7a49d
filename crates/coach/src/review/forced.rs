//! The number of actions and turns until a forced win.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tavola_core::{Actor, CancelToken, Instant};
use tavola_registry::AnyState;

/// The depth of a search for a forced win, in actions.
pub const PROOF_PLIES: u32 = 6;
/// The limit of the search for the shortest win.
const LIMIT: Duration = Duration::from_millis(500);

/// A forced result: with correct play it can no longer change.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ForcedResult {
    /// The seats that win; empty for a draw.
    pub winners: Vec<usize>,
    /// The maximum number of actions until the win; `None` if unknown.
    pub actions: Option<u32>,
    /// The number of turns until the win against the longest defence, including the current turn; `None` if unknown.
    pub turns: Option<u32>,
}

impl ForcedResult {
    /// A result of unknown length.
    pub(super) fn of(winners: Vec<usize>) -> Self {
        Self { winners, actions: None, turns: None }
    }
}

/// The winners of exact shares; none for a draw.
pub fn winners(shares: &[f64]) -> Vec<usize> {
    let most = shares.iter().copied().fold(0.0, f64::max);
    let winners: Vec<_> = (0..shares.len()).filter(|&seat| shares[seat] > most / 2.0).collect();
    if winners.len() == shares.len() { Vec::new() } else { winners }
}

/// The forced result of a state with proven shares, with its length if a search finds it within its limits.
pub(super) fn forced_result(state: &AnyState, shares: &[f64], stop: &CancelToken) -> ForcedResult {
    let result = ForcedResult::of(winners(shares));
    if result.winners.len() != 1 {
        return result;
    }
    let deadline = Instant::now() + LIMIT;
    let Some(proof) = state.prove(PROOF_PLIES, Some(deadline), stop) else { return result };
    let last = last_turn(state, proof.plies, deadline, stop);
    ForcedResult { actions: Some(proof.plies), turns: last.map(|last| last - state.turn() + 1), ..result }
}

/// The turn of the last action of a win in exactly `plies` actions, if all sides play the longest defence; `None` after
/// the deadline.
fn last_turn(state: &AnyState, plies: u32, deadline: Instant, stop: &CancelToken) -> Option<u32> {
    let (mut state, mut turn) = (state.clone(), state.turn());
    for left in (0..plies).rev() {
        turn = state.turn();
        // The winner's fastest line and the slowest defence both take all actions.
        let longest = successors(&state).into_iter().find(|after| {
            let proof = after.prove(left, Some(deadline), stop);
            proof.is_some_and(|proof| proof.plies == left)
        });
        state = longest?;
    }
    Some(turn)
}

fn successors(state: &AnyState) -> Vec<AnyState> {
    let played = |token: &str| state.play(token).expect("an outcome of chance is legal");
    match state.to_act() {
        Actor::Chance => state.chance_outcomes().iter().map(|(token, _)| played(token)).collect(),
        Actor::Seat(_) | Actor::Terminal => {
            let ids = state.legal_actions();
            ids.into_iter().map(|id| state.play_id(id).expect("a legal action")).collect()
        }
    }
}
