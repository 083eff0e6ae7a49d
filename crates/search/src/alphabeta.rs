//! Alpha-beta: for two seats without chance.
//!
//! The search deepens by one action at a time. All threads share a transposition table. Turns of several actions need no
//! special case: the sign of a score changes where the seat to act does.
//!
//! | file | content |
//! |---|---|
//! | `alphabeta.rs` | the root: iterative deepening, and the result |
//! | `alphabeta/worker.rs` | one thread's search |
//! | `alphabeta/order.rs` | move ordering |
//! | `alphabeta/table.rs` | the transposition table |
//! | `alphabeta/score.rs` | scores of positions |

mod order;
mod score;
mod table;
mod worker;

use std::cmp::Reverse;

use tavola_core::{Actor, CancelToken, Evaluate, Playout, Seat};

use crate::analysis::{self, Analysis, Line, VARIATION};
use crate::budget::SharedBudget;
use crate::limits::{Limits, Purpose};
use score::{INFINITE, Score, SearchedValue};
pub(crate) use score::{LOST, WON};
use table::Bound;
pub(crate) use table::Table;
use worker::DEEPEST;
pub(crate) use worker::Worker;

/// The half-width of the first aspiration window.
const ASIDE: Score = 300;

/// The number of depths whose best scores give the interval.
const WANDERING: usize = 4;

/// The depth from which aspiration windows apply.
const ASIDE_FROM: u32 = 4;

/// The maximum depth of a search for forced results.
pub(crate) const FARTHEST: u32 = DEEPEST as u32 - 1;

/// One action of the root.
struct RootAction<A> {
    action: A,
    /// The value for the seat to act and its bound; `None` before the first search.
    value: Option<(SearchedValue, Bound)>,
    line: Vec<A>,
    nodes: u64,
}

/// The results of one thread at the root.
struct Root<A> {
    seat: Seat,
    /// The best score of each depth.
    scores: Vec<Score>,
    /// The best first.
    actions: Vec<RootAction<A>>,
}

/// Searches for the best action of a seat, with a table that may have entries. Creates a missing table.
pub(crate) fn search<G: Playout + Evaluate>(
    game: &G,
    state: &G::State,
    table: &mut Option<Table>,
    limits: &Limits,
    stop: &CancelToken,
) -> Analysis<G::Action> {
    let began = stop.now();
    let Actor::Seat(seat) = game.to_act(state) else {
        return Analysis::of_outcome(&game.outcome(state).expect("without chance, no seat acts only at the end"), 2);
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
        policy: analysis::best_only(lines.len()),
        lines,
        nodes: budget.nodes(),
        tree: table.filled(),
        bytes: table.bytes(),
        full: false,
        seconds: (stop.now() - began).as_secs_f64(),
    }
}

/// The number of entries of the table: about as many as the search will fill, so that most of it stays in the caches.
fn entries(limits: &Limits) -> usize {
    const BY_A_SECOND: f64 = 5e5;
    const FEWEST: f64 = (1 << 12) as f64;
    const MOST: f64 = (1 << 23) as f64;
    let by_time = limits.seconds.map_or(f64::INFINITY, |seconds| seconds * BY_A_SECOND * limits.threads.get() as f64);
    let by_nodes = limits.nodes.map_or(f64::INFINITY, |nodes| nodes as f64);
    let by_memory = limits.memory as f64 / Table::ENTRY as f64;
    by_time.min(by_nodes).clamp(FEWEST, MOST).min(by_memory) as usize
}

/// Extends a variation by the best actions in the table, where a search ends early.
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

    /// Searches all actions to a depth; false when the search is over.
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

    /// Searches all actions to a depth within a window. Returns the best score, or `None` when the search is over.
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
                // The best moves to the front; the others keep their order.
                self.actions[..=at].rotate_right(1);
            }
            if alpha >= beta {
                break;
            }
        }
        debug_assert!(alpha > start || best <= start);
        Some(best)
    }

    /// Whether the result of the root is proven.
    fn is_certain(&self) -> bool {
        self.actions[0].value.is_some_and(|(value, bound)| value.sure && bound == Bound::Exactly)
    }

    /// The lines, the best first.
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
                // A proven result that is neither a win nor a loss is a draw, whatever its score with contempt.
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
