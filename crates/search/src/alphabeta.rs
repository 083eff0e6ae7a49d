//! Alpha-beta: for two seats without chance.
//!
//! Deeper and deeper, one action at a time; what a thread learns of a position it keeps in a table for all of them. Turns
//! of several actions need no care: the sign of a score changes where the seat to act does.
//!
//! | file | noun |
//! |---|---|
//! | `alphabeta.rs` | the root: deepening, and what is said in the end |
//! | `alphabeta/worker.rs` | one thread's search |
//! | `alphabeta/order.rs` | in which order actions are looked at |
//! | `alphabeta/table.rs` | the positions seen |
//! | `alphabeta/score.rs` | what a position is worth |

mod order;
mod score;
mod table;
mod worker;

use std::cmp::Reverse;

use tavola_core::{Actor, CancelToken, Evaluate, Playout, Seat};

use crate::analysis::{Analysis, Line, VARIATION};
use crate::budget::SharedBudget;
use crate::limits::{Limits, Purpose};
use score::{INFINITE, Score, Value};
pub(crate) use score::{LOST, WON};
use table::Bound;
pub(crate) use table::Table;
use worker::DEEPEST;
pub(crate) use worker::Worker;

/// How far to both sides of the last score the next one is looked for first.
const ASIDE: Score = 300;

/// How many deepenings back the best score is looked at to say how it wanders.
const WANDERING: usize = 4;

/// From this depth on.
const ASIDE_FROM: u32 = 4;

/// No forced end is looked for further ahead.
pub(crate) const FARTHEST: u32 = DEEPEST as u32 - 1;

/// One action of the root.
struct RootAction<A> {
    action: A,
    /// What it is worth to the seat to act, and what that says; `None` before it is looked at.
    value: Option<(Value, Bound)>,
    line: Vec<A>,
    nodes: u64,
}

/// What one thread found out of the root so far.
struct Root<A> {
    seat: Seat,
    /// The best score after each deepening.
    scores: Vec<Score>,
    /// The best first.
    actions: Vec<RootAction<A>>,
}

/// Looks for the best action of a seat, with what a table knows already; it is made if there is none.
pub(crate) fn search<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    table: &mut Option<Table>,
    limits: &Limits,
    stop: &CancelToken,
) -> Analysis<G::Action> {
    let began = stop.now();
    let Actor::Seat(seat) = game.to_act(state) else {
        return Analysis::of_outcome(&game.outcome(state).expect("without chance nobody acts at the end alone"), 2);
    };
    let draw = score::of_draw(limits.contempt);
    let draws = if seat == 0 { [draw, -draw] } else { [-draw, draw] };
    let table = Table::ready(table, entries(limits), draws);
    let budget = SharedBudget::new(limits, limits.deadline(began), stop);
    let deepest = limits.depth.unwrap_or(u32::MAX).min(FARTHEST);
    let think = |number: u32| {
        let mut root = Root::new(game, state, seat);
        let mut worker = Worker::new(game, state, table, &budget, draws);
        for depth in (1..=deepest).skip((number % 2) as usize) {
            let done = root.is_certain() || root.actions.len() == 1 && limits.purpose == Purpose::Choose;
            if done || !root.deepen(&mut worker, depth) {
                break;
            }
        }
        if number == 0 {
            budget.end();
        }
        worker.finish();
        root
    };
    let root = std::thread::scope(|scope| {
        for number in 1..limits.threads.get() as u32 {
            let think = &think;
            scope.spawn(move || think(number));
        }
        think(0)
    });
    let mut lines = root.lines();
    for line in &mut lines {
        go_on(game, state.clone(), table, &mut line.variation);
    }
    Analysis {
        best: lines.first().map(|line| line.action),
        shares: lines.first().map(|line| line.shares.clone()).unwrap_or_default(),
        lines,
        nodes: budget.nodes(),
        tree: table.filled(),
        bytes: table.bytes(),
        full: false,
        seconds: (stop.now() - began).as_secs_f64(),
    }
}

/// How many entries the table is to have: about as many as the search will fill, so that most of it stays near the
/// processor.
fn entries(limits: &Limits) -> usize {
    const BY_A_SECOND: f64 = 5e5;
    const FEWEST: f64 = (1 << 12) as f64;
    const MOST: f64 = (1 << 23) as f64;
    let by_time = limits.seconds.map_or(f64::INFINITY, |seconds| seconds * BY_A_SECOND * limits.threads.get() as f64);
    let by_nodes = limits.nodes.map_or(f64::INFINITY, |nodes| nodes as f64);
    let by_memory = limits.memory as f64 / Table::ENTRY as f64;
    by_time.min(by_nodes).clamp(FEWEST, MOST).min(by_memory) as usize
}

/// Adds to a variation what the table knows of the best actions after it: a search ends where they are known.
fn go_on<G: Playout + Evaluate>(game: &G, mut state: G::State, table: &Table, variation: &mut Vec<G::Action>) {
    let mut actions = Vec::new();
    for &action in &*variation {
        game.play_unchecked(&mut state, action);
    }
    while variation.len() < VARIATION && game.to_act(&state) != Actor::Terminal {
        actions.clear();
        game.legal_actions(&state, &mut actions);
        let known =
            table.get(game.evaluation_key(&state), 0).filter(|entry| entry.sure || entry.bound == Bound::Exactly);
        let best = known.and_then(|entry| actions.get(usize::from(entry.place)).copied());
        let Some(action) = game.winning_action(&state).or(best) else { break };
        variation.push(action);
        game.play_unchecked(&mut state, action);
    }
}

impl<A: Copy + Eq> Root<A> {
    fn new<G: Playout<Action = A> + Evaluate>(game: &G, state: &G::State, seat: Seat) -> Self {
        let mut actions = Vec::new();
        game.legal_actions(state, &mut actions);
        let actions =
            actions.into_iter().map(|action| RootAction { action, value: None, line: Vec::new(), nodes: 0 }).collect();
        Self { seat, scores: Vec::new(), actions }
    }

    /// Searches all actions so deep; false when the search is over.
    fn deepen<G: Playout<Action = A> + Evaluate>(&mut self, worker: &mut Worker<'_, G>, depth: u32) -> bool {
        worker.begin();
        let last = self.actions[0].value.map_or(0, |(value, _)| value.score);
        let mut aside = ASIDE;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASIDE_FROM && last.abs() < WON {
            (alpha, beta) = (last - aside, last + aside);
        }
        loop {
            let Some(score) = self.look(worker, depth as i32, alpha, beta) else { return false };
            aside *= 4;
            if score <= alpha && alpha > -INFINITE {
                alpha = if aside > 8_000 { -INFINITE } else { last - aside };
            } else if score >= beta && beta < INFINITE {
                beta = if aside > 8_000 { INFINITE } else { last + aside };
            } else {
                self.scores.push(score);
                return true;
            }
        }
    }

    /// Searches all actions so deep within a window; the best score, or `None` when the search is over.
    fn look<G: Playout<Action = A> + Evaluate>(
        &mut self,
        worker: &mut Worker<'_, G>,
        depth: i32,
        mut alpha: Score,
        beta: Score,
    ) -> Option<Score> {
        let (start, mut best) = (alpha, -INFINITE);
        for at in 0..self.actions.len() {
            let (action, before) = (self.actions[at].action, worker.nodes);
            let mut tried = |window| worker.try_root(self.seat, action, depth, window);
            let mut value = tried((alpha, if at == 0 { beta } else { alpha + 1 }));
            if at > 0 && value.is_some_and(|value| value.score > alpha) {
                value = tried((alpha, beta));
            }
            self.actions[at].nodes += worker.nodes - before;
            let value = value?;
            let bound = match value.score {
                score if score >= beta => Bound::AtLeast,
                score if score <= alpha => Bound::AtMost,
                _ => Bound::Exactly,
            };
            best = best.max(value.score);
            let node = &mut self.actions[at];
            node.value = Some((value, bound));
            if value.score > alpha {
                alpha = value.score;
                node.line.clear();
                node.line.extend_from_slice(worker.line());
                // The best stands first; the others keep their order.
                self.actions[..=at].rotate_right(1);
            }
            if alpha >= beta {
                break;
            }
        }
        debug_assert!(alpha > start || best <= start);
        Some(best)
    }

    /// Whether the result of the root is certain, so that nothing is left to find out.
    fn is_certain(&self) -> bool {
        self.actions[0].value.is_some_and(|(value, bound)| value.sure && bound == Bound::Exactly)
    }

    /// What was found out, the best first.
    fn lines(&self) -> Vec<Line<A>> {
        let mut order: Vec<_> = self.actions.iter().enumerate().collect();
        order.sort_by_key(|(at, action)| {
            (*at > 0, Reverse(action.value.map_or(-INFINITE, |(value, _)| value.score)), *at)
        });
        order.into_iter().map(|(_, action)| self.line(action)).collect()
    }

    fn line(&self, found: &RootAction<A>) -> Line<A> {
        let proven = found.value.is_some_and(|(value, bound)| {
            value.sure
                && match bound {
                    Bound::Exactly => true,
                    Bound::AtLeast => value.score >= WON,
                    Bound::AtMost => value.score <= LOST,
                }
        });
        let (share, interval) = match found.value {
            None => (0.5, (0.0, 1.0)),
            Some((value, bound)) => {
                // What is certain and neither won nor lost is a draw, whatever it is held for.
                let share = if proven && value.score.abs() < WON { 0.5 } else { score::share(value.score) };
                let last = self.scores.iter().rev().take(WANDERING).map(|&score| score::share(score));
                let interval = match bound {
                    _ if proven => (share, share),
                    Bound::Exactly => last.fold((share, share), |(low, high), last| (low.min(last), high.max(last))),
                    Bound::AtMost => (0.0, share),
                    Bound::AtLeast => (share, 1.0),
                };
                (share, interval)
            }
        };
        let mut shares = vec![share, 1.0 - share];
        let mut intervals = vec![interval, (1.0 - interval.1, 1.0 - interval.0)];
        if self.seat == 1 {
            shares.swap(0, 1);
            intervals.swap(0, 1);
        }
        Line {
            action: found.action,
            shares,
            margins: intervals.iter().map(|(low, high)| (high - low) / 2.0).collect(),
            intervals,
            visits: found.nodes.min(u32::MAX.into()) as u32,
            variation: std::iter::once(found.action).chain(found.line.iter().copied()).collect(),
            proven,
        }
    }
}
