//! Search of many positions: training targets in arrays.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use tavola_core::CancelToken;
use tavola_core::random::mix;
use tavola_registry::{AnyState, Limits, Method, NetworkEvaluator, Purpose, SearchResult, Settings, Target};

use crate::arguments::{Int, threads_or_all};
use crate::batch::{of_one_game, states_of, targets_as_arrays};
use crate::classes::Game;
use crate::evaluate::{Keywords, PythonEvaluator};
use crate::interrupt::{Stop, interruptible};
use crate::network::Network;
use crate::python_game::guarded;

/// The depth of the lookahead of the compiled search: deeper ones cost more than a short search.
const LOOKAHEAD: u32 = 2;

/// The number of positions that a thread searches together with a network.
const GROUP: usize = 16;

/// Numbers of nodes: one for all positions, or one for each.
#[derive(FromPyObject)]
pub(crate) enum Nodes {
    All(Int),
    Each(Vec<Int>),
}

impl Nodes {
    fn for_each(self, count: usize) -> PyResult<Vec<u32>> {
        match self {
            Self::All(nodes) => Ok(vec![nodes.at_least(1, "nodes")?; count]),
            Self::Each(nodes) if nodes.len() != count => Err(PyValueError::new_err(format!(
                "nodes must be one number, or one for each of the {count} states, not {}",
                nodes.len()
            ))),
            Self::Each(nodes) => nodes.into_iter().map(|nodes| nodes.at_least(1, "each of nodes")).collect(),
        }
    }
}

/// Search many positions of one game, and return training targets as arrays.
///
/// With a function as `evaluate` the leaves of all positions share the batches: see `search`.
/// With a `Network` the search by PUCT runs in the compiled core, on several threads. Without
/// `evaluate` the compiled tree search runs, one position a thread. The result depends on the
/// seed, not on the number of threads.
///
/// Args:
///     states: The positions, of the same game and options. Chance may act, or the game may
///         be over.
///     nodes: The number of simulations of each position: one number, or one for each
///         position. With `evaluate` the first simulation evaluates the position itself.
///     evaluate: A function of a `LeafBatch`, or a `Network`, as of `search`.
///     batch: The maximum number of positions in one call of `evaluate`; if None, 64 for a
///         function and 1 for a network.
///     c_puct: The exploration constant of `evaluate`; that of the network, or 1.25, if None.
///     noise: Dirichlet noise for the policy of each position: (alpha, fraction). Needs
///         `evaluate`.
///     temperature: The policy is in proportion to the visits to the power of
///         1 / temperature. At 0 the best action has all.
///     threads: The number of threads, without a function; all cores if None.
///     seed: The seed of all random choices.
///
/// Returns:
///     `Targets(policies, values)`: `policies` float32 (B, action_count), the share of the
///     visits of each action id, 1 in sum; 0 where no seat acts. `values` float32 (B, seats),
///     each seat's expected share of the game, from 0 to 1 and 1 in sum.
///
/// Raises:
///     ValueError: If there are no states, they are of several games, or a number is out of
///         range.
///     TypeError, ValueError: If `evaluate` returns anything else than two arrays of the
///         right shapes and ranges. Exceptions of `evaluate` itself propagate.
///
/// Source:
///     Silver et al., "A general reinforcement learning algorithm that masters chess, shogi,
///     and Go through self-play" (2018); docs/explanation/search.md.
///
/// >>> start = load("potlatch").start()
/// >>> policies, values = search_batch([start, start.play("Pnw")], nodes=100, threads=1)
/// >>> policies.shape, values.shape
/// ((2, 12), (2, 2))
#[allow(clippy::too_many_arguments)] // the keywords of the Python function
#[pyfunction]
#[pyo3(
    signature = (
        states, nodes=Nodes::All(Int::new(800)), *, evaluate=None, batch=None, c_puct=None, noise=None, temperature=1.0,
        threads=None, seed=Int::new(0)
    ),
    text_signature = "(states, nodes=800, *, evaluate=None, batch=None, c_puct=None, noise=None, temperature=1.0, threads=None, seed=0)"
)]
pub(crate) fn search_batch<'py>(
    py: Python<'py>,
    states: &Bound<'py, PyAny>,
    nodes: Nodes,
    evaluate: Option<&Bound<'py, PyAny>>,
    batch: Option<Int>,
    c_puct: Option<f32>,
    noise: Option<(f32, f32)>,
    temperature: f32,
    threads: Option<Int>,
    seed: Int,
) -> PyResult<Bound<'py, PyAny>> {
    let states = states_of(states)?;
    let game = &of_one_game(py, &states)?;
    let (nodes, seed) = (nodes.for_each(states.len())?, seed.at_least(0, "seed")?);
    if !(temperature.is_finite() && temperature >= 0.0) {
        return Err(PyValueError::new_err(format!("temperature must be 0 or more, not {temperature}")));
    }
    let keywords = Keywords { batch, c_puct, rollouts: None, noise };
    let roots: Vec<&AnyState> = states.iter().map(|state| &state.get().state).collect();
    let threads = threads_or_all(threads)?.get();
    let targets = if let Some(network) = evaluate.and_then(|given| given.cast::<Network>().ok()) {
        let network = network.get();
        network.check(py, game)?;
        let settings = keywords.settings(Some(network), None, 1, seed, u64::MAX)?;
        let search = |stop: &CancelToken| {
            by_network(game, &network.network, &roots, &nodes, temperature, &settings, threads, stop)
        };
        interruptible(py, &game.0, None, search)?
    } else if let Some(function) = evaluate {
        let settings = keywords.settings(None, None, 1, seed, u64::MAX)?;
        let (mut evaluator, stop) = (PythonEvaluator::new(game, function)?, Stop::default());
        let search = || game.0.puct().targets(&roots, nodes, temperature, &settings, &mut evaluator, stop.token());
        let result = guarded(py, &game.0, || py.detach(search))?;
        evaluator.unwrap(result)?
    } else {
        keywords.refuse()?;
        interruptible(py, &game.0, None, |stop| compiled(&roots, &nodes, temperature, seed, threads, stop))?
    };
    arrays(py, game, &targets)
}

/// Searches each position with the compiled search, on several threads.
fn compiled(
    roots: &[&AnyState],
    nodes: &[u32],
    temperature: f32,
    seed: u64,
    threads: usize,
    stop: &CancelToken,
) -> Vec<Target> {
    let search = |number: usize| {
        let limits = Limits {
            method: Method::Tree,
            nodes: Some(nodes[number].into()),
            seed: mix(seed ^ mix(number as u64)),
            lookahead: LOOKAHEAD,
            purpose: Purpose::Sample,
            ..Limits::default()
        };
        let result = roots[number].search(&limits, stop).expect("the tree suits every game");
        vec![target(result, temperature)]
    };
    in_parallel(threads, roots.len(), search)
}

/// Searches positions with a network, in groups whose results do not depend on the number of threads.
#[allow(clippy::too_many_arguments)]
fn by_network(
    game: &Game,
    network: &tavola_registry::Network,
    roots: &[&AnyState],
    nodes: &[u32],
    temperature: f32,
    settings: &Settings,
    threads: usize,
    stop: &CancelToken,
) -> Vec<Target> {
    let search = |group: usize| {
        let (first, end) = (group * GROUP, ((group + 1) * GROUP).min(roots.len()));
        let settings = Settings { seed: mix(settings.seed ^ mix(group as u64)), ..settings.clone() };
        let (roots, nodes) = (&roots[first..end], nodes[first..end].to_vec());
        let mut evaluator = NetworkEvaluator::new(network);
        let targets = game.0.puct().targets(roots, nodes, temperature, &settings, &mut evaluator, stop);
        targets.expect("a network evaluates every position")
    };
    in_parallel(threads, roots.len().div_ceil(GROUP), search)
}

/// Calls `work` with each number below `tasks` on several threads. Returns all results in order.
fn in_parallel(threads: usize, tasks: usize, work: impl Fn(usize) -> Vec<Target> + Sync) -> Vec<Target> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![Vec::new(); tasks]);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(tasks) {
            scope.spawn(|| {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= tasks {
                        break;
                    }
                    let result = work(number);
                    results.lock().expect("no thread panics")[number] = result;
                }
            });
        }
    });
    results.into_inner().expect("no thread panics").into_iter().flatten().collect()
}

fn target(result: SearchResult, temperature: f32) -> Target {
    let shares = result.shares.into_iter().map(|share| share as f32).collect();
    let mut policy = result.policy;
    let most = policy.iter().map(|&(_, part)| part).fold(0.0, f32::max);
    for (place, (_, part)) in policy.iter_mut().enumerate() {
        *part = match temperature {
            0.0 => f32::from(u8::from(place == 0)),
            temperature => (*part / most).powf(1.0 / temperature),
        };
    }
    let sum: f32 = policy.iter().map(|&(_, part)| part).sum();
    for (_, part) in &mut policy {
        *part /= sum;
    }
    Target { policy, shares }
}

/// The targets as `tavola.Targets`.
fn arrays<'py>(py: Python<'py>, game: &Game, targets: &[Target]) -> PyResult<Bound<'py, PyAny>> {
    let actions = game.0.action_count();
    let mut policies = vec![0.0f32; targets.len() * actions];
    for (target, policy) in targets.iter().zip(policies.chunks_exact_mut(actions)) {
        target.policy.iter().for_each(|&(id, part)| policy[id] = part);
    }
    let values = targets.iter().flat_map(|target| target.shares.iter().copied()).collect();
    targets_as_arrays(py, targets.len(), actions, policies, values)
}
