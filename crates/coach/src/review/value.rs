//! The value of a position by search, with the same procedure for all compared positions.

use std::collections::HashMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tavola_core::{Actor, CancelToken};
use tavola_registry::{AnyGame, AnySearcher, AnyState, IllegalAction, Limits, Line, Method, Network, SearchResult};

use super::forced::{ForcedResult, forced_result};

/// The minimum number of nodes for one outcome of chance.
const LEAST_NODES: u64 = 16;

/// The value of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Value {
    /// The expected share by seat.
    pub shares: Vec<f64>,
    /// The margins of error of the shares.
    pub margins: Vec<f64>,
    /// The possible actions, the best first; for chance, all outcomes in their order.
    pub lines: Vec<ValuedLine>,
    /// The forced result, if there is one.
    pub certain: Option<ForcedResult>,
    /// The number of searched nodes.
    pub nodes: u64,
}

/// A possible action and its value.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ValuedLine {
    /// The token of the action.
    pub action: String,
    /// The expected share by seat after the action.
    pub shares: Vec<f64>,
    /// The margins of error of the shares.
    pub margins: Vec<f64>,
    /// The number of simulations that began with the action.
    pub visits: u64,
    /// The best line, beginning with the action.
    pub variation: Vec<String>,
    /// Whether the shares are proven.
    pub proven: bool,
}

impl From<Line> for ValuedLine {
    fn from(line: Line) -> Self {
        let Line { action, shares, margins, visits, variation, proven, .. } = line;
        Self { action, shares, margins, visits: visits.into(), variation, proven }
    }
}

impl Value {
    /// The line that begins with an action.
    pub fn line(&self, action: &str) -> Option<&ValuedLine> {
        self.lines.iter().find(|line| line.action == action)
    }
}

/// The search trees of positions by their keys, for longer and longer searches of the same position.
#[derive(Default)]
pub struct Trees(HashMap<u64, AnySearcher>);

impl Trees {
    /// Frees all trees.
    pub fn forget(&mut self) {
        self.0.clear();
    }
}

/// Evaluates positions of a game, all with the same limits.
pub struct Evaluator<'a> {
    game: &'a AnyGame,
    limits: Limits,
    stop: &'a CancelToken,
    trees: Option<&'a mut Trees>,
    network: Option<Arc<Network>>,
}

impl<'a> Evaluator<'a> {
    /// An evaluator with the limits of each position. With `trees` later searches of a position continue earlier ones.
    ///
    /// A cancelled search makes a value that is less reliable than its margins say.
    pub fn new(game: &'a AnyGame, limits: &Limits, stop: &'a CancelToken, trees: Option<&'a mut Trees>) -> Self {
        // Alpha-beta gives no value for actions that it refutes.
        Self { game, limits: Limits { method: Method::Tree, ..limits.clone() }, stop, trees, network: None }
    }

    /// The same, with a network for the game and its options that values the leaves.
    #[must_use]
    pub fn with_network(self, network: Option<Arc<Network>>) -> Self {
        Self { network, ..self }
    }

    /// Evaluates a position of the game. `place` is its index in the game, from which its random seed is derived.
    ///
    /// At a chance node, every outcome is searched with an equal part of the limits. The value is the mean of the
    /// outcomes with their exact weights.
    pub fn value(&mut self, state: &AnyState, place: u64) -> Value {
        match state.to_act() {
            Actor::Chance => self.mean(state, place),
            Actor::Seat(_) | Actor::Terminal => self.look(state, place, 1),
        }
    }

    /// Evaluates the position after an action, at this place. A result that was proven before remains proven.
    ///
    /// # Errors
    /// [`IllegalAction`].
    pub(super) fn after(
        &mut self,
        state: &AnyState,
        value: &Value,
        token: &str,
        place: u64,
    ) -> Result<Value, IllegalAction> {
        let reached = state.play(token)?;
        let found = self.value(&reached, place);
        let proven = value.line(token).filter(|line| line.proven);
        let lost = value.certain.is_some() && is_lost(state, &value.shares);
        if found.certain.is_some() || !(lost || proven.is_some()) {
            return Ok(found);
        }
        let shares = proven.map_or(&value.shares, |line| &line.shares).clone();
        let certain = Some(forced_result(&reached, &shares, self.stop));
        Ok(Value { margins: vec![0.0; shares.len()], shares, certain, ..found })
    }

    fn mean(&mut self, state: &AnyState, place: u64) -> Value {
        let outcomes = state.chance_outcomes();
        let parts = parts(&outcomes);
        let reached = outcomes.iter().map(|(token, _)| state.play(token).expect("an outcome of chance is legal"));
        let values: Vec<Value> = reached.map(|state| self.look(&state, place, outcomes.len())).collect();
        let same = values.iter().map(|value| value.certain.as_ref().map(|certain| &certain.winners));
        let same = same.reduce(|first, other| if first == other { first } else { None }).flatten();
        let lines = outcomes.iter().zip(&values).map(|((token, _), value)| {
            let next = value.lines.first().map_or(&[][..], |line| &line.variation);
            ValuedLine {
                action: token.clone(),
                shares: value.shares.clone(),
                margins: value.margins.clone(),
                visits: value.nodes,
                variation: [std::slice::from_ref(token), next].concat(),
                proven: value.certain.is_some(),
            }
        });
        Value {
            shares: mean(&parts, &values.iter().map(|value| &value.shares[..]).collect::<Vec<_>>()),
            margins: margins_of_mean(&parts, &values.iter().map(|value| &value.margins[..]).collect::<Vec<_>>()),
            lines: lines.collect(),
            certain: same.map(|winners| ForcedResult::of(winners.clone())),
            nodes: values.iter().map(|value| value.nodes).sum(),
        }
    }

    /// Evaluates a position with one search, which uses an equal part of the limits.
    fn look(&mut self, state: &AnyState, place: u64, among: usize) -> Value {
        let seats = self.game.seats();
        if let Some(outcome) = state.outcome() {
            return Value {
                shares: outcome.shares(seats),
                margins: vec![0.0; seats],
                lines: Vec::new(),
                certain: Some(ForcedResult {
                    winners: outcome.winners.iter().map(usize::from).collect(),
                    actions: Some(0),
                    turns: Some(0),
                }),
                nodes: 0,
            };
        }
        let found = self.search(state, place, among);
        if state.to_act() == Actor::Chance {
            let (shares, margins) = mean_of_outcomes(state, &found.lines);
            return Value { shares, margins, lines: Vec::new(), certain: None, nodes: found.nodes };
        }
        let best = &found.lines[0];
        Value {
            margins: best.margins.clone(),
            certain: best.proven.then(|| forced_result(state, &best.shares, self.stop)),
            shares: found.shares,
            nodes: found.nodes,
            lines: found.lines.into_iter().map(ValuedLine::from).collect(),
        }
    }

    fn search(&mut self, state: &AnyState, place: u64, among: usize) -> SearchResult {
        let limits = Limits {
            seconds: self.limits.seconds.map(|seconds| seconds / among as f64),
            nodes: self.limits.nodes.map(|nodes| LEAST_NODES.max(nodes / among as u64)),
            seed: self.limits.seed.wrapping_add(place) & u64::MAX >> 1,
            ..self.limits.clone()
        };
        let mut fresh;
        let searcher = if let Some(trees) = &mut self.trees {
            trees.0.entry(state.key()).or_insert_with(|| self.game.searcher())
        } else {
            fresh = self.game.searcher();
            &mut fresh
        };
        searcher.set_network(self.network.as_ref());
        let found = searcher.search(state, &limits, self.stop).expect("tree search suits every game");
        found.expect("a state of the same game")
    }
}

/// Whether the seat to act has already lost, so that no action changes the result.
fn is_lost(state: &AnyState, shares: &[f64]) -> bool {
    match state.to_act() {
        Actor::Chance => true,
        Actor::Seat(seat) => shares.len() == 2 && shares[usize::from(seat)] == 0.0,
        Actor::Terminal => false,
    }
}

/// The shares and margins of a position where chance acts, from a search of it: the mean of its outcomes by weight.
pub fn mean_of_outcomes(state: &AnyState, lines: &[Line]) -> (Vec<f64>, Vec<f64>) {
    let outcomes = state.chance_outcomes();
    let parts = parts(&outcomes);
    let part = |line: &Line| outcomes.iter().position(|(token, _)| *token == line.action).map_or(0.0, |at| parts[at]);
    let parts: Vec<f64> = lines.iter().map(part).collect();
    let shares: Vec<_> = lines.iter().map(|line| &line.shares[..]).collect();
    let margins: Vec<_> = lines.iter().map(|line| &line.margins[..]).collect();
    (mean(&parts, &shares), margins_of_mean(&parts, &margins))
}

/// The weights of outcomes as parts of their sum.
fn parts(outcomes: &[(String, u64)]) -> Vec<f64> {
    let total: u64 = outcomes.iter().map(|&(_, weight)| weight).sum();
    outcomes.iter().map(|&(_, weight)| weight as f64 / total as f64).collect()
}

fn mean(parts: &[f64], shares: &[&[f64]]) -> Vec<f64> {
    let seats = shares.first().map_or(0, |shares| shares.len());
    let sum = |seat: usize| parts.iter().zip(shares).map(|(part, shares)| part * shares[seat]).sum();
    (0..seats).map(sum).collect()
}

/// The margins of a weighted mean of independent values.
fn margins_of_mean(parts: &[f64], margins: &[&[f64]]) -> Vec<f64> {
    let seats = margins.first().map_or(0, |margins| margins.len());
    let terms = |seat: usize| parts.iter().zip(margins).map(move |(part, margins)| (part * margins[seat]).powi(2));
    (0..seats).map(|seat| terms(seat).sum::<f64>().sqrt()).collect()
}
