//! Why an action is worse than the best one: the reply that refutes it, and what that reply does.

use serde::Serialize;
use tavola_core::view::MoveLabel;
use tavola_core::{Actor, CancelToken, Seat, SmolStr, Text};
use tavola_registry::{AnyGame, AnyState, IllegalAction, Limits, Method, SearchResult};

use crate::reason::{Code, Reason, counters, prevented, turn_of};

/// The share of the game that an action may cost and still count as good as the best one.
const TOLERANCE: f64 = 0.03;

/// The share of the answers that must lose for a threat.
const THREAT: f64 = 0.5;

/// The maximum number of actions from the action to the reply.
const LONGEST: usize = 16;

/// The cost of an action, and the reply to it.
#[derive(Clone, Debug, Serialize)]
pub struct WhyNot {
    /// The seat of the action.
    pub seat: Seat,
    /// The action.
    pub action: DescribedAction,
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
    pub line: Vec<DescribedAction>,
    /// The effects of the reply, the most important reason first.
    pub reasons: Vec<Reason>,
    /// How the game ends where the line, or the turn of the reply, ends it.
    pub end: Option<Text>,
}

/// An action in words, with its cells.
#[derive(Clone, Debug, Serialize)]
pub struct DescribedAction {
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

struct Searcher<'a> {
    game: &'a AnyGame,
    limits: Limits,
    stop: &'a CancelToken,
}

impl Searcher<'_> {
    fn search(&self, state: &AnyState) -> SearchResult {
        // Alpha-beta gives no value for actions that it refutes.
        let found =
            self.game.best_searcher().search(state, &self.limits, self.stop).expect("tree search suits every game");
        found.expect("a state of the same game")
    }
}

/// Explains a legal action of the seat to act of a game. The limits count for each of up to five searches.
///
/// # Errors
/// [`IllegalAction`] if the action is not legal, or no seat is to act.
pub fn why_not(
    game: &AnyGame,
    state: &AnyState,
    token: &str,
    limits: &Limits,
    stop: &CancelToken,
) -> Result<WhyNot, IllegalAction> {
    let Actor::Seat(seat) = state.to_act() else {
        return Err(IllegalAction { token: token.to_owned(), refusal: None });
    };
    let after = state.play(token)?;
    let searcher = Searcher { game, limits: Limits { method: Method::Tree, ..limits.clone() }, stop };
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
    let own = usize::from(seat);
    let (actions, then) = turn_of(state, best);
    found.line.extend(actions.iter().map(|(before, token)| said(before, token)));
    found.end = ending(&then);
    if best.proven && best.shares[own] >= 1.0 {
        found.reasons.push(Reason::new(Code::Wins, None));
        return;
    }
    found.reasons.extend(prevented(result, best, seat));
    if matches!(then.to_act(), Actor::Seat(other) if other != seat) {
        let answers = searcher.search(&then).lines;
        let losing = answers.iter().filter(|line| line.proven && line.shares[own] >= 1.0).count();
        if losing > 0 && losing as f64 >= THREAT * answers.len() as f64 {
            found.reasons.push(Reason::counted(Code::Threatens, losing, answers.len()));
        }
    }
    found.reasons.extend(counters(state, &then, seat, Code::Gains));
    found.reasons.extend(counters(state, &then, found.seat, Code::Takes));
}

fn ending(state: &AnyState) -> Option<Text> {
    state.view(None).outcome.map(|outcome| outcome.text)
}

/// An action in words.
fn said(state: &AnyState, token: &str) -> DescribedAction {
    let view = state.view(None);
    let action = view.actions.iter().find(|action| action.token == token);
    let moved = state.move_label(token).ok().flatten();
    let label = action.map(|action| action.label.clone());
    let label = label.or_else(|| state.events(token).ok()?.into_iter().find_map(|event| event.text));
    let cells = moved.as_ref().map(|moved| moved.cells.clone()).filter(|cells| !cells.is_empty());
    DescribedAction {
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
