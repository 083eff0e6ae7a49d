//! The effect of an action, from the values of the positions around it, and the balance of a whole game.

use serde::{Deserialize, Serialize};
use tavola_core::Actor;
use tavola_registry::{AnyState, IllegalAction};

use super::value::{Evaluator, Value};

/// The minimum cost of a mistake and of a blunder, as a share of the win.
const MISTAKE: f64 = 0.08;
const BLUNDER: f64 = 0.2;

/// The maximum number of decisive actions, and the minimum change of each.
const DECISIVE: usize = 5;
const SWING: f64 = 0.1;

/// The quality of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// No other action is better.
    Best,
    /// A cost below that of a mistake.
    Good,
    /// A cost from 8 % of a game.
    Mistake,
    /// A cost from 20 % of a game.
    Blunder,
}

/// An action of a game and its effect.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JudgedAction {
    /// The action or chance outcome.
    pub token: String,
    /// The seat that acted; -1 for chance.
    pub seat: i32,
    /// The number of the turn.
    pub turn: u32,
    /// The best action, which may be the same; `None` for chance.
    pub best: Option<String>,
    /// The share that the action lost against the best action; 0 if the difference is within the margin, and for
    /// chance.
    pub cost: f64,
    /// The margin of error of the cost.
    pub margin: f64,
    /// The quality of the action; `None` for chance.
    pub grade: Option<Grade>,
    /// The change of the shares by seat: the cost of a mistake, or the luck of an outcome against the mean of all
    /// outcomes.
    pub effect: Vec<f64>,
    /// The remaining change of the shares, which the search saw one action too late.
    pub unforeseen: Vec<f64>,
}

/// The breakdown of a seat's share: `end = start + luck + own + others + unforeseen`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Balance {
    /// The seat.
    pub seat: usize,
    /// The expected share at the start.
    pub start: f64,
    /// The effect of chance.
    pub luck: f64,
    /// The effect of the seat's own mistakes, at most 0.
    pub own: f64,
    /// The effect of the mistakes of other seats.
    pub others: f64,
    /// The changes that the search did not foresee.
    pub unforeseen: f64,
    /// The expected share at the end; of a finished game, the result.
    pub end: f64,
}

/// The balance of a game, and its decisive actions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The breakdown of the share of each seat.
    pub balances: Vec<Balance>,
    /// The indices of the actions that changed the shares most, the largest change first.
    pub decisive: Vec<usize>,
}

impl Evaluator<'_> {
    /// Judges an action, and evaluates the position after it. `before` is the value of the position, which is at this
    /// place of the game.
    ///
    /// # Errors
    /// [`IllegalAction`].
    pub fn judge(
        &mut self,
        state: &AnyState,
        token: &str,
        before: &Value,
        place: u64,
    ) -> Result<(JudgedAction, Value), IllegalAction> {
        let after = self.after(state, before, token, place + 1)?;
        let seat = state.to_act().seat();
        let best = before.lines.first().filter(|line| seat.is_some() && line.action != token);
        let instead = best.map(|best| self.after(state, before, &best.action, place + 1)).transpose()?;
        Ok((judged(state, token, before, &after, instead.as_ref()), after))
    }
}

/// Judges an action by the values before and after it, and after the best action if that is another one.
fn judged(state: &AnyState, token: &str, before: &Value, after: &Value, instead: Option<&Value>) -> JudgedAction {
    let none = vec![0.0; before.shares.len()];
    let mut action = JudgedAction {
        token: token.to_owned(),
        seat: -1,
        turn: state.turn(),
        best: None,
        cost: 0.0,
        margin: 0.0,
        grade: None,
        effect: none,
        unforeseen: Vec::new(),
    };
    match (state.to_act(), instead) {
        (Actor::Seat(seat), Some(instead)) => compare(&mut action, usize::from(seat), before, after, instead),
        (Actor::Seat(seat), None) => {
            action.seat = seat.into();
            action.best = Some(token.to_owned());
            action.grade = Some(Grade::Best);
        }
        (Actor::Chance | Actor::Terminal, _) => {
            let drawn = before.line(token).map_or(&after.shares, |line| &line.shares);
            action.effect = difference(drawn, &before.shares);
        }
    }
    action.unforeseen = difference(&difference(&after.shares, &before.shares), &action.effect);
    action
}

/// Compares the value after an action of a seat with the value after the best one.
fn compare(action: &mut JudgedAction, seat: usize, before: &Value, after: &Value, instead: &Value) {
    let best = &before.lines[0].action;
    let cost = instead.shares[seat] - after.shares[seat];
    action.seat = seat as i32;
    action.margin = instead.margins[seat].hypot(after.margins[seat]);
    action.best = Some(best.clone());
    if cost > action.margin {
        action.cost = cost;
        action.effect = difference(&after.shares, &instead.shares);
        action.grade = Some(match cost {
            BLUNDER.. => Grade::Blunder,
            MISTAKE.. => Grade::Mistake,
            _ => Grade::Good,
        });
    } else if cost < -action.margin {
        // Better than the search expected.
        action.best = Some(action.token.clone());
        action.grade = Some(Grade::Best);
    } else {
        action.grade = Some(Grade::Good);
    }
}

impl Summary {
    /// Summarizes a game, or its beginning, by the shares of its positions and the actions between them.
    ///
    /// # Panics
    /// Without a position, or if the positions have different numbers of seats.
    pub fn new(shares: &[Vec<f64>], actions: &[JudgedAction]) -> Self {
        let (first, last) = (&shares[0], &shares[shares.len() - 1]);
        let balances = (0..first.len()).map(|seat| {
            let sum = |counts: &dyn Fn(i32) -> bool| {
                let counted = actions.iter().filter(|action| counts(action.seat));
                counted.map(|action| action.effect[seat]).fold(0.0, |sum, part| sum + part)
            };
            Balance {
                seat,
                start: first[seat],
                luck: sum(&|actor| actor < 0),
                own: sum(&|actor| actor == seat as i32),
                others: sum(&|actor| actor >= 0 && actor != seat as i32),
                unforeseen: actions.iter().map(|action| action.unforeseen[seat]).fold(0.0, |sum, part| sum + part),
                end: last[seat],
            }
        });
        Self { balances: balances.collect(), decisive: decisive(shares) }
    }
}

fn decisive(shares: &[Vec<f64>]) -> Vec<usize> {
    let swing = |pair: &[Vec<f64>]| difference(&pair[1], &pair[0]).into_iter().map(f64::abs).fold(0.0, f64::max);
    let swings: Vec<f64> = shares.windows(2).map(swing).collect();
    let mut places: Vec<usize> = (0..swings.len()).filter(|&place| swings[place] >= SWING).collect();
    places.sort_by(|&one, &other| swings[other].total_cmp(&swings[one]));
    places.truncate(DECISIVE);
    places
}

fn difference(after: &[f64], before: &[f64]) -> Vec<f64> {
    after.iter().zip(before).map(|(after, before)| after - before).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::value::ValuedLine;

    fn value(share: f64) -> Value {
        let shares = vec![share, 1.0 - share];
        Value { shares, margins: vec![0.01, 0.01], lines: Vec::new(), certain: None, nodes: 1 }
    }

    fn line(action: &str, share: f64) -> ValuedLine {
        let (action, shares) = (action.to_owned(), vec![share, 1.0 - share]);
        ValuedLine { action, shares, margins: vec![0.0; 2], visits: 1, variation: Vec::new(), proven: false }
    }

    /// A position in which a seat is to act, or chance.
    fn position(is_chance: bool) -> AnyState {
        let games = tavola_registry::games().into_iter().map(|info| tavola_registry::load(info.name, []));
        let starts = games.map(|game| game.expect("a game").start());
        let mut found = starts.filter(|state| (state.to_act() == Actor::Chance) == is_chance);
        found.next().expect("a game begins so")
    }

    /// Judges the first action of a game of two seats, after which the share is `after`, against the best one.
    fn played(after: f64, instead: f64) -> JudgedAction {
        let before = Value { lines: vec![line("best", 0.6), line("other", 0.5)], ..value(0.6) };
        judged(&position(false), "other", &before, &value(after), Some(&value(instead)))
    }

    #[test]
    fn the_cost_of_an_action_is_its_distance_from_the_best_one_beyond_the_margin() {
        let said =
            |action: &JudgedAction| (action.grade.expect("a seat acts"), action.best.clone().expect("a best action"));
        assert_eq!(said(&played(0.595, 0.6)), (Grade::Good, "best".to_owned()));
        assert!(played(0.595, 0.6).cost.abs() < 1e-9);
        assert_eq!(said(&played(0.55, 0.6)), (Grade::Good, "best".to_owned()));
        assert_eq!(said(&played(0.5, 0.6)), (Grade::Mistake, "best".to_owned()));
        assert!((played(0.5, 0.6).cost - 0.1).abs() < 1e-9);
        assert_eq!(said(&played(0.3, 0.6)), (Grade::Blunder, "best".to_owned()));
        // Better than the search expected.
        assert_eq!(said(&played(0.7, 0.6)), (Grade::Best, "other".to_owned()));
    }

    #[test]
    fn an_action_that_is_the_best_one_costs_nothing() {
        let action = judged(&position(false), "best", &value(0.6), &value(0.4), None);
        assert_eq!((action.grade, action.cost, action.best.as_deref()), (Some(Grade::Best), 0.0, Some("best")));
        assert!((action.unforeseen[0] + 0.2).abs() < 1e-9);
    }

    #[test]
    fn chance_is_luck_and_not_a_mistake() {
        let before = Value { lines: vec![line("x", 0.9), line("y", 0.3)], ..value(0.45) };
        let action = judged(&position(true), "x", &before, &value(0.85), None);
        assert_eq!((action.seat, action.grade, action.cost), (-1, None, 0.0));
        assert!((action.effect[0] - 0.45).abs() < 1e-9);
        assert!((action.unforeseen[0] + 0.05).abs() < 1e-9);
        let balances = Summary::new(&[before.shares, vec![0.85, 0.15]], &[action]).balances;
        assert!((balances[0].luck - 0.45).abs() < 1e-9 && balances[0].own.abs() < 1e-9);
    }

    #[test]
    fn decisive_actions_change_the_shares_most() {
        let shares = [0.5, 0.55, 0.9, 0.7].map(|share| vec![share, 1.0 - share]);
        assert_eq!(Summary::new(&shares, &[]).decisive, [1, 2]);
    }
}
