//! The review of a game, one position after another: the client keeps the values.

use serde_json::{Value as Json, json};
use tavola_coach::{Evaluator, JudgedAction, Summary, Value};
use tavola_core::CancelToken;
use tavola_registry::{AnyGame, AnyState, Limits};

use crate::request::{Fault, fault, illegal, to_value};

/// The evaluator of a game with the best search.
fn evaluator<'a>(game: &'a AnyGame, seconds: f64, never: &'a CancelToken) -> Evaluator<'a> {
    let limits = Limits { seconds: Some(seconds), ..Limits::default() };
    Evaluator::new(game, &limits, never, None).with_network(game.own_network().cloned())
}

/// The value of a position at this place of its game.
pub(crate) fn evaluate(game: &AnyGame, state: &AnyState, place: usize, seconds: f64) -> Json {
    to_value(&evaluator(game, seconds, &CancelToken::default()).value(state, place as u64))
}

/// The effect of an action, and the value of the position after it.
pub(crate) fn judge(
    game: &AnyGame,
    state: &AnyState,
    token: &str,
    before: &Value,
    place: usize,
    seconds: f64,
) -> Result<Json, Fault> {
    if before.shares.len() != game.seats() {
        return Err(fault("bad-request", "a value of another game"));
    }
    let never = CancelToken::default();
    let judged = evaluator(game, seconds, &never).judge(state, token, before, place as u64);
    let (action, after) = judged.map_err(|error| illegal(&error.token))?;
    Ok(json!({ "action": action, "after": after }))
}

/// The balance of a review, and its decisive actions.
pub(crate) fn summarize(shares: &[Vec<f64>], actions: &[JudgedAction]) -> Result<Json, Fault> {
    if shares.is_empty() {
        return Err(fault("bad-request", "no position"));
    }
    Ok(to_value(&Summary::new(shares, actions)))
}
