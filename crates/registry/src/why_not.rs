//! Why an action is worse than the best one: the reply that refutes it, and what that reply does.

use serde::Serialize;
use tavola_core::view::MoveLabel;
use tavola_core::{Actor, CancelToken, Seat, SmolStr, Text};

use crate::{AnyState, IllegalAction, Limits, Method, SearchResult};

/// The share of the game that an action may cost and still count as good as the best one.
const TOLERANCE: f64 = 0.03;

/// The share of the answers that must lose for a threat.
const THREAT: f64 = 0.5;

/// The maximum number of actions from the action to the reply.
const LONGEST: usize = 16;

/// The number of outcomes of a random event up to which the counters after it are compared.
const MOST_OUTCOMES: usize = 12;

/// The maximum number of counters in the reasons, for each seat.
const MOST_COUNTERS: usize = 2;

/// The cost of an action, and the reply to it.
#[derive(Clone, Debug, Serialize)]
pub struct WhyNot {
    /// The seat of the action.
    pub seat: Seat,
    /// The action.
    pub action: Step,
    /// Whether it is as good as the best action.
    pub good: bool,
    /// Whether it loses by force.
    pub loses: bool,
    /// The expected share of the seat after the best action.
    pub best: f64,
    /// The expected share of the seat after this action.
    pub share: f64,
    /// The actions after it, the last of which are the reply: a turn of another seat. Empty if the action is good or
    /// ends the game.
    pub line: Vec<Step>,
    /// The effects of the reply, the most important reason first.
    pub reasons: Vec<Reason>,
    /// How the game ends where the line, or the turn of the reply, ends it.
    pub end: Option<Text>,
}

/// An action in words, with its cells.
#[derive(Clone, Debug, Serialize)]
pub struct Step {
    /// The seat; -1 for a random event.
    pub seat: i8,
    /// The token.
    pub token: String,
    /// The action in words, with coordinates.
    pub label: Option<Text>,
    /// The action as the list of moves shows it.
    #[serde(rename = "move")]
    pub moved: Option<MoveLabel>,
    /// The cells of the action, in order.
    pub cells: Vec<SmolStr>,
}

/// A reason for the reply. `n` and `count` are numbers of actions, or `n` is the change of a counter.
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
    /// The reply wins by force.
    Wins,
    /// Of the actions of the other seat, `n` of `count` would have lost by force.
    Prevents,
    /// Of the answers to the reply, `n` of `count` lose by force.
    Threatens,
    /// A counter of the other seat grows by `n`.
    Gains,
    /// A counter of the own seat shrinks by `n`.
    Takes,
}

impl Reason {
    fn counted(code: Code, n: usize, count: usize) -> Self {
        Self { code, n: Some(n as i64), count: Some(count as i64), label: None }
    }
}

struct Searcher<'a> {
    limits: Limits,
    stop: &'a CancelToken,
}

impl Searcher<'_> {
    fn search(&self, state: &AnyState) -> SearchResult {
        // Alpha-beta gives no value for actions that it refutes.
        state.search(&self.limits, self.stop).expect("tree search suits every game")
    }
}

/// Explains a legal action of the seat to act. The limits count for each of up to five searches.
///
/// # Errors
/// [`IllegalAction`] if the action is not legal, or no seat is to act.
pub fn why_not(state: &AnyState, token: &str, limits: &Limits, stop: &CancelToken) -> Result<WhyNot, IllegalAction> {
    let Actor::Seat(seat) = state.to_act() else {
        return Err(IllegalAction { token: token.to_owned(), refusal: None });
    };
    let after = state.play(token)?;
    let searcher = Searcher { limits: Limits { method: Method::Tree, ..limits.clone() }, stop };
    let before = searcher.search(state);
    let own = usize::from(seat);
    let mut found = WhyNot {
        seat,
        action: said(state, token),
        good: true,
        loses: false,
        best: before.lines.first().map_or(before.shares[own], |line| line.shares[own]),
        share: 0.0,
        line: Vec::new(),
        reasons: Vec::new(),
        end: None,
    };
    if before.best.as_deref() == Some(token) {
        found.share = found.best;
        return Ok(found);
    }
    // The tree of the position before may have visited this action rarely.
    let proven = before.lines.iter().find(|line| line.action == token && line.proven);
    let reached = after.outcome().is_none().then(|| searcher.search(&after));
    found.share = match (proven, &reached) {
        (Some(line), _) => line.shares[own],
        (None, Some(result)) => result.shares[own],
        (None, None) => f64::from(after.estimate()[own]),
    };
    found.best = found.best.max(found.share);
    found.loses = found.share <= 0.0;
    found.good = found.best - found.share < TOLERANCE;
    match reached {
        _ if found.good => {}
        Some(result) => explain(&mut found, after, result, &searcher),
        None => found.end = ending(&after),
    }
    Ok(found)
}

/// Adds the line to the reply, and its reasons. `result`: the search of the state.
fn explain(found: &mut WhyNot, mut state: AnyState, result: SearchResult, searcher: &Searcher<'_>) {
    let mut known = Some(result);
    let mut plan: Vec<String> = Vec::new();
    for _ in 0..LONGEST {
        let token = match state.to_act() {
            Actor::Terminal => {
                found.end = ending(&state);
                return;
            }
            Actor::Chance => {
                plan.clear();
                let likely = state.chance_outcomes().into_iter().rev().max_by_key(|&(_, weight)| weight);
                likely.expect("chance has outcomes").0
            }
            Actor::Seat(seat) if seat == found.seat => {
                if plan.is_empty() {
                    let result = known.take().unwrap_or_else(|| searcher.search(&state));
                    plan = result.lines.first().map_or_else(Vec::new, |line| line.variation.clone());
                    plan.reverse();
                }
                let Some(token) = plan.pop() else { return };
                token
            }
            Actor::Seat(seat) => {
                let result = known.take().unwrap_or_else(|| searcher.search(&state));
                reply(found, &state, seat, &result, searcher);
                return;
            }
        };
        found.line.push(said(&state, &token));
        state = state.play(&token).expect("an action of the search is legal");
        known = None;
    }
}

/// Adds the best reply and its reasons.
fn reply(found: &mut WhyNot, state: &AnyState, seat: Seat, result: &SearchResult, searcher: &Searcher<'_>) {
    let Some(best) = result.lines.first() else { return };
    found.line.push(said(state, &best.action));
    let own = usize::from(seat);
    // The whole turn of the seat.
    let mut then = state.play(&best.action).expect("an action of the search is legal");
    for token in best.variation.iter().skip(1) {
        if then.to_act() != Actor::Seat(seat) || then.turn() != state.turn() {
            break;
        }
        found.line.push(said(&then, token));
        then = then.play(token).expect("an action of the search is legal");
    }
    found.end = ending(&then);
    if best.proven && best.shares[own] >= 1.0 {
        found.reasons.push(Reason { code: Code::Wins, n: None, count: None, label: None });
        return;
    }
    let lost = result.lines.iter().filter(|line| line.proven && line.shares[own] <= 0.0).count();
    if lost > 0 && !(best.proven && best.shares[own] <= 0.0) {
        found.reasons.push(Reason::counted(Code::Prevents, lost, result.lines.len()));
    }
    if matches!(then.to_act(), Actor::Seat(other) if other != seat) {
        let answers = searcher.search(&then).lines;
        let losing = answers.iter().filter(|line| line.proven && line.shares[own] >= 1.0).count();
        if losing > 0 && losing as f64 >= THREAT * answers.len() as f64 {
            found.reasons.push(Reason::counted(Code::Threatens, losing, answers.len()));
        }
    }
    found.reasons.extend(counters(state, &then, seat, 1));
    found.reasons.extend(counters(state, &then, found.seat, -1));
}

fn ending(state: &AnyState) -> Option<Text> {
    state.view(None).outcome.map(|outcome| outcome.text)
}

/// The counters of a seat that grow (1) or shrink (-1), whatever chance does next.
fn counters(before: &AnyState, after: &AnyState, seat: Seat, sign: i64) -> Vec<Reason> {
    let outcomes = match after.to_act() {
        Actor::Chance => after.chance_outcomes(),
        _ => Vec::new(),
    };
    if outcomes.len() > MOST_OUTCOMES {
        return Vec::new();
    }
    let states: Vec<AnyState> = if outcomes.is_empty() {
        vec![after.clone()]
    } else {
        outcomes.iter().map(|(token, _)| after.play(token).expect("an outcome is legal")).collect()
    };
    let view = before.view(Some(seat));
    let views: Vec<_> = states.iter().map(|state| state.view(Some(seat))).collect();
    let value = |view: &tavola_core::View, id: &SmolStr| {
        let counters = &view.seats[usize::from(seat)].counters;
        counters.iter().find(|counter| counter.id == *id).map_or(0, |counter| counter.value)
    };
    // A counter of zero may be missing.
    let named = [&view].into_iter().chain(&views).flat_map(|view| &view.seats[usize::from(seat)].counters);
    let mut changed: Vec<Reason> = Vec::new();
    for counter in named {
        let old = value(&view, &counter.id);
        let least = views.iter().map(|view| sign * (value(view, &counter.id) - old)).min().unwrap_or(0);
        if least > 0 && !changed.iter().any(|reason| reason.label.as_ref() == Some(&counter.label)) {
            let code = if sign > 0 { Code::Gains } else { Code::Takes };
            changed.push(Reason { code, n: Some(least), count: None, label: Some(counter.label.clone()) });
        }
    }
    changed.sort_by_key(|reason| -reason.n.unwrap_or(0));
    changed.truncate(MOST_COUNTERS);
    changed
}

/// An action in words.
fn said(state: &AnyState, token: &str) -> Step {
    let view = state.view(None);
    let action = view.actions.iter().find(|action| action.token == token);
    let moved = state.move_label(token).ok().flatten();
    let label = action.map(|action| action.label.clone());
    let label = label.or_else(|| state.events(token).ok()?.into_iter().find_map(|event| event.text));
    let cells = moved.as_ref().map(|moved| moved.cells.clone()).filter(|cells| !cells.is_empty());
    Step {
        seat: match state.to_act() {
            Actor::Seat(seat) => seat as i8,
            Actor::Chance | Actor::Terminal => -1,
        },
        token: token.to_owned(),
        cells: cells.or_else(|| action.map(|action| action.touches.clone())).unwrap_or_default(),
        label,
        moved,
    }
}
