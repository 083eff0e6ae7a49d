//! Reasons for an action: its win, the losses that it prevents, what its threats and counters are.

use serde::Serialize;
use tavola_core::{Actor, Seat, SmolStr, Text, View};
use tavola_registry::{AnyState, Line, SearchResult};

/// The number of outcomes of a random event up to which the counters after it are compared.
const MOST_OUTCOMES: usize = 12;

/// The maximum number of counters of a seat in the reasons.
const MOST_COUNTERS: usize = 2;

/// A reason for an action. `n` and `count` are numbers of actions, or `n` is the change of a counter or a per cent.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reason {
    /// The kind of reason.
    pub code: Code,
    /// How many, or how much.
    pub n: Option<i64>,
    /// Of how many.
    pub count: Option<i64>,
    /// The counter.
    pub label: Option<Text>,
}

/// The kinds of reasons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Code {
    /// The action wins by force, within `n` actions if that is known.
    Wins,
    /// Of the actions of the seat, `n` of `count` lose by force.
    Prevents,
    /// Of the answers to the action, `n` of `count` lose by force.
    Threatens,
    /// A counter of the seat grows by `n`.
    Gains,
    /// A counter of another seat shrinks by `n`.
    Takes,
    /// The expected share of the seat is `n` per cent.
    Chances,
}

impl Reason {
    /// A reason with a number.
    pub(crate) fn new(code: Code, n: Option<i64>) -> Self {
        Self { code, n, count: None, label: None }
    }

    /// A reason with a number of actions among all.
    pub(crate) fn counted(code: Code, n: usize, count: usize) -> Self {
        Self { code, n: Some(n as i64), count: Some(count as i64), label: None }
    }
}

/// The lines of the search that lose by force, if there are any and the best one does not.
pub(crate) fn prevented(found: &SearchResult, best: &Line, seat: Seat) -> Option<Reason> {
    let loses = |line: &&Line| line.proven && line.shares[usize::from(seat)] <= 0.0;
    let lost = found.lines.iter().filter(loses).count();
    (lost > 0 && !loses(&best)).then(|| Reason::counted(Code::Prevents, lost, found.lines.len()))
}

/// The actions of a line that belong to the turn of its first one, each with the state before it, and the state after
/// all of them.
pub(crate) fn turn_of<'a>(state: &AnyState, line: &'a Line) -> (Vec<(AnyState, &'a str)>, AnyState) {
    let (mut actions, mut after) = (Vec::new(), state.clone());
    for token in &line.variation {
        let Ok(next) = after.play(token) else { break };
        actions.push((std::mem::replace(&mut after, next), token.as_str()));
        if after.to_act() != state.to_act() || after.turn() != state.turn() {
            break;
        }
    }
    (actions, after)
}

/// The counters of a seat that grow (`Gains`) or shrink (`Takes`), whatever chance does next.
pub(crate) fn counters(before: &AnyState, after: &AnyState, seat: Seat, code: Code) -> Vec<Reason> {
    let sign = if code == Code::Takes { -1 } else { 1 };
    let old = before.view(None);
    let new: Vec<View> = after_chance(after).iter().map(|state| state.view(None)).collect();
    let value = |view: &View, id: &SmolStr| {
        let counters = &view.seats[usize::from(seat)].counters;
        counters.iter().find(|counter| counter.id == *id).map_or(0, |counter| counter.value)
    };
    // A counter of zero may be missing.
    let named = [&old].into_iter().chain(&new).flat_map(|view| &view.seats[usize::from(seat)].counters);
    let mut changed: Vec<Reason> = Vec::new();
    for counter in named {
        let change = |view| sign * (value(view, &counter.id) - value(&old, &counter.id));
        let least = new.iter().map(change).min().unwrap_or(0);
        if least > 0 && !changed.iter().any(|reason| reason.label.as_ref() == Some(&counter.label)) {
            changed.push(Reason { label: Some(counter.label.clone()), ..Reason::new(code, Some(least)) });
        }
    }
    changed.sort_by_key(|reason| -reason.n.unwrap_or(0));
    changed.truncate(MOST_COUNTERS);
    changed
}

/// The states after every outcome of the next random event; empty for too many.
fn after_chance(state: &AnyState) -> Vec<AnyState> {
    if state.to_act() != Actor::Chance {
        return vec![state.clone()];
    }
    let outcomes = state.chance_outcomes();
    if outcomes.len() > MOST_OUTCOMES {
        return Vec::new();
    }
    outcomes.iter().filter_map(|(token, _)| state.play(token).ok()).collect()
}
