//! Hints during a game: the action of a short search, and the reasons for it.

use std::time::Duration;

use serde::Serialize;
use tavola_core::clock::Instant;
use tavola_core::text::Text;
use tavola_core::view::Counter;
use tavola_core::{Actor, CancelToken, Seat, Shared};
use tavola_registry::{AnyGame, AnyState, Limits, Line, SearchResult};

const NODES: u64 = 20_000;
/// The depth of the proofs of threats and wins, in actions.
const PLIES: u32 = 4;
/// The number of replies up to which threats are looked for.
const MOST_REPLIES: usize = 60;
const MOST_GAINS: usize = 2;
/// The number of outcomes of a random event up to which gains are looked for.
const MOST_OUTCOMES: usize = 12;

/// Why an action is good.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HintReason {
    /// `wins`, `prevents`, `threatens`, `gains` or `chances`.
    pub code: &'static str,
    /// A number, such as the actions until the win or the points gained.
    pub n: Option<i64>,
    /// The number of actions of which `n` have the property.
    pub count: Option<usize>,
    /// The name of what is gained.
    pub label: Option<Text>,
}

/// The action that a short search prefers.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Hint {
    /// The action.
    pub token: String,
    /// The reasons, the most important first.
    pub reasons: Vec<HintReason>,
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
    let found = state.search(&limits, stop).expect("every game can be searched by its own method");
    let best = found.lines.first()?;
    let reasons = reasons(game, state, seat, &found, best, &Budget { stop, until });
    Some(Hint { token: best.action.clone(), reasons })
}

fn reasons(
    game: &AnyGame,
    state: &AnyState,
    seat: Seat,
    found: &SearchResult,
    best: &Line,
    budget: &Budget<'_>,
) -> Vec<HintReason> {
    let reason = |code, n, count| HintReason { code, n, count, label: None };
    let share = |line: &Line| line.shares[usize::from(seat)];
    if best.proven && share(best) >= 1.0 {
        let proof = state.prove(PLIES, budget.stop);
        return vec![reason("wins", proof.map(|proof| i64::from(proof.plies)), None)];
    }
    let mut reasons = Vec::new();
    let lost = found.lines.iter().filter(|line| line.proven && share(line) == 0.0).count();
    if lost > 0 && !(best.proven && share(best) == 0.0) {
        reasons.push(reason("prevents", Some(lost as i64), Some(found.lines.len())));
    }
    let after = own_turn(state, best);
    if let Some((losing, replies)) = threats(game, &after, seat, budget) {
        reasons.push(reason("threatens", Some(losing as i64), Some(replies)));
    }
    reasons.extend(gains(state, &after, seat));
    // Half to even, as Python rounds.
    let chances = (100.0 * found.shares[usize::from(seat)]).round_ties_even();
    reasons.push(reason("chances", Some(chances as i64), None));
    reasons
}

/// The state after the actions of the line that belong to this turn.
fn own_turn(state: &AnyState, line: &Line) -> AnyState {
    let mut after = state.clone();
    for token in &line.variation {
        match after.play(token) {
            Ok(next) => after = next,
            Err(_) => break,
        }
        if after.to_act() != state.to_act() || after.turn() != state.turn() {
            break;
        }
    }
    after
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
        let proof = if then.outcome().is_none() { then.prove(PLIES, budget.stop) } else { None };
        losing += usize::from(proof.is_some_and(|proof| proof.winner == seat));
    }
    (2 * losing >= count).then_some((losing, count))
}

/// The counters of the seat that grow, whatever chance does next.
fn gains(before: &AnyState, after: &AnyState, seat: Seat) -> Vec<HintReason> {
    let outcomes = after_chance(after);
    let counters = |state: &AnyState| state.view(None).seats[usize::from(seat)].counters.clone();
    let old = counters(before);
    let new: Vec<_> = outcomes.iter().map(counters).collect();
    let Some(first) = new.first() else { return Vec::new() };
    let mut grown = Vec::new();
    for counter in first {
        // A counter of zero may be missing.
        let value = |counters: &[Shared<Counter>]| {
            counters.iter().find(|other| other.id == counter.id).map_or(0, |other| other.value)
        };
        let least = new.iter().map(|counters| value(counters)).min().unwrap_or(0);
        let gain = least - value(&old);
        if gain > 0 {
            let label = Some(counter.label.clone());
            grown.push(HintReason { code: "gains", n: Some(gain), count: None, label });
        }
    }
    grown.sort_by_key(|gain| -gain.n.unwrap_or(0));
    grown.truncate(MOST_GAINS);
    grown
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
