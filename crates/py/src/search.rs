//! Search and proof of forced wins.

use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, TryLockError};

use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::{PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tavola_coach::PROOF_PLIES;
use tavola_registry::{
    AnySearcher, C_PUCT_RANGE, CONTEMPT_RANGE, Limits, Method, Purpose, ROLLOUTS_RANGE, Rollouts, Unsuitable,
};

use crate::arguments::{GameOrName, Int, in_range, threads_or_all};
use crate::classes::{Game, Reduced, State};
use crate::engine_spec::EngineSpec;
use crate::evaluate::{self, Keywords};
use crate::interrupt::{Stop, interruptible};
use crate::network::Network;
use crate::results::{Analysis, Proof};

/// Search for a win that is forced within a number of actions.
///
/// The result is a proof, not an estimate.
/// For the winner one winning action suffices. For other seats and for chance every action
/// must lead to the win. Draws and repetition follow the rules.
///
/// Args:
///     state: The position.
///     plies: The number of actions, chance outcomes included.
///     stop: Stops the search from another thread. Ctrl-C sets it too.
///
/// Returns:
///     The proof; None if no seat can force a win so soon, or after a stop.
///
/// Raises:
///     ValueError: If `plies` is negative.
///
/// >>> prove(load("potlatch").start(), 3) is None
/// True
#[pyfunction]
#[pyo3(signature = (state, plies=Int::new(6), *, stop=None), text_signature = "(state, plies=6, *, stop=None)")]
pub(crate) fn prove(py: Python<'_>, state: &State, plies: Int, stop: Option<&Stop>) -> PyResult<Option<Proof>> {
    Ok(prove_until(py, state, plies.at_least(0, "plies")?, stop)?.1)
}

/// Search as `prove` does; return also within how many actions it searched to the end.
#[pyfunction]
#[pyo3(name = "_prove_until", signature = (state, plies=PROOF_PLIES, *, stop=None))]
#[pyo3(text_signature = "(state, plies=6, *, stop=None)")]
pub(crate) fn prove_until(
    py: Python<'_>,
    state: &State,
    plies: u32,
    stop: Option<&Stop>,
) -> PyResult<(u32, Option<Proof>)> {
    let core = &state.state;
    let (plies, proof) = interruptible(py, &state.game.0, stop, |flag| core.prove_until(plies, None, flag))?;
    Ok((plies, proof.map(|proof| Proof { winner: proof.winner, plies: proof.plies })))
}

/// The methods by name.
const METHODS: [(&str, Method); 3] = [("auto", Method::Auto), ("tree", Method::Tree), ("alphabeta", Method::AlphaBeta)];

fn method_named(name: &str) -> PyResult<Method> {
    METHODS.iter().find(|(known, _)| *known == name).map(|&(_, method)| method).ok_or_else(|| {
        let known = METHODS.map(|(known, _)| known).join(", ");
        PyValueError::new_err(format!("unknown method {name:?}; known are {known}"))
    })
}

fn unsuitable(error: Unsuitable) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The arguments of a search after the position.
struct Arguments<'py> {
    limits: Limits,
    evaluate: Option<Bound<'py, PyAny>>,
    keywords: Keywords,
    /// Arguments that do not suit `evaluate`.
    of_rollouts: [(&'static str, bool); 2],
    /// Arguments that do not suit a function as `evaluate`.
    of_the_tree: [(&'static str, bool); 3],
    stop: Option<Bound<'py, Stop>>,
}

/// The arguments of a call, each read once.
struct Given<'py> {
    function: &'static str,
    arguments: Bound<'py, PyDict>,
}

impl<'py> Given<'py> {
    /// The value of an argument; `None` if it is not given, or None.
    fn take<T: FromPyObjectOwned<'py>>(&self, name: &str) -> PyResult<Option<T>> {
        let Some(value) = self.arguments.get_item(name)? else { return Ok(None) };
        self.arguments.del_item(name)?;
        value.extract().map_err(|error: T::Error| {
            let error: PyErr = error.into();
            if error.is_instance_of::<PyTypeError>(value.py()) {
                return PyTypeError::new_err(format!("argument '{name}': {}", error.value(value.py())));
            }
            error
        })
    }
}

impl<'py> Arguments<'py> {
    /// Reads the arguments of a function; one second without any limits.
    fn read(
        function: &'static str,
        positional: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Self> {
        const POSITIONAL: [&str; 4] = ["seconds", "nodes", "threads", "seed"];
        let py = positional.py();
        let arguments = keywords.map_or_else(|| Ok(PyDict::new(py)), PyDictMethods::copy)?;
        if positional.len() > POSITIONAL.len() {
            let count = positional.len() + 1;
            return Err(PyTypeError::new_err(format!(
                "{function}() takes at most 5 positional arguments, not {count}"
            )));
        }
        for (name, value) in POSITIONAL.into_iter().zip(positional) {
            if arguments.contains(name)? {
                return Err(PyTypeError::new_err(format!("{function}() got multiple values for argument '{name}'")));
            }
            arguments.set_item(name, value)?;
        }
        let given = Given { function, arguments };
        let usual = Limits::default();
        let seconds: Option<f64> = given.take("seconds")?;
        if let Some(seconds) = seconds.filter(|seconds| seconds.is_nan() || *seconds < 0.0) {
            return Err(PyValueError::new_err(format!("seconds must be 0 or more, not {seconds}")));
        }
        let whole = |name: &str| given.take::<Int>(name);
        let nodes = whole("nodes")?.map(|nodes| nodes.at_least(1, "nodes")).transpose()?;
        let depth = whole("depth")?.map(|depth| depth.at_least(1, "depth")).transpose()?;
        let lookahead = whole("lookahead")?.map(|depth| depth.at_least(0, "lookahead")).transpose()?;
        let memory = whole("memory")?.map(|memory| memory.at_least::<u32>(0, "memory")).transpose()?;
        let number = |name: &str, range: RangeInclusive<f64>| {
            given.take(name)?.map(|number| in_range(number, &range, name)).transpose()
        };
        let flag = |name: &str| Ok::<_, PyErr>(given.take(name)?.unwrap_or(false));
        let contempt = number("contempt", CONTEMPT_RANGE)?.unwrap_or(usual.contempt);
        let (c_puct, rollouts) = (number("c_puct", C_PUCT_RANGE)?, number("rollouts", ROLLOUTS_RANGE)?);
        let (uniform, choose) = (flag("uniform")?, flag("choose")?);
        let limits = Limits {
            method: given.take::<String>("method")?.map_or(Ok(usual.method), |name| method_named(&name))?,
            depth,
            nodes,
            seconds: if seconds.is_none() && nodes.is_none() && depth.is_none() { Some(1.0) } else { seconds },
            threads: threads_or_all(whole("threads")?)?,
            seed: whole("seed")?.unwrap_or(Int::new(0)).at_least(0, "seed")?,
            rollouts: if uniform { Rollouts::Uniform } else { Rollouts::Policy },
            purpose: if choose { Purpose::Choose } else { Purpose::Analyse },
            lookahead: lookahead.unwrap_or(usual.lookahead),
            contempt,
            prior: None,
            c_puct,
            rollout_weight: rollouts,
            memory: memory.map_or(usual.memory, |megabytes| u64::from(megabytes) << 20),
        };
        let arguments = Self {
            evaluate: given.take("evaluate")?,
            keywords: Keywords { batch: whole("batch")?, c_puct, rollouts, noise: given.take("noise")? },
            of_rollouts: [("depth", depth.is_some()), ("uniform", uniform)],
            of_the_tree: [("choose", choose), ("contempt", contempt != 0.0), ("rollouts", rollouts.is_some())],
            stop: given.take("stop")?,
            limits,
        };
        match given.arguments.keys().iter().next() {
            Some(name) => {
                Err(PyTypeError::new_err(format!("{}() got an unexpected keyword argument '{name}'", given.function)))
            }
            None => Ok(arguments),
        }
    }

    /// Refuses arguments that do not suit `evaluate`, and those that need it.
    fn check_evaluate(&self) -> PyResult<()> {
        if self.evaluate.is_none() {
            return self.keywords.refuse();
        }
        if self.limits.method == Method::AlphaBeta {
            return Err(PyValueError::new_err("evaluate searches by the tree: omit method"));
        }
        refuse_with("evaluate", &self.of_rollouts)
    }

    fn stop(&self) -> Option<&Stop> {
        self.stop.as_ref().map(Bound::get)
    }
}

/// Search for the best action, by Monte Carlo tree search or by alpha-beta.
///
/// Alpha-beta searches games of two seats without chance by iterative deepening with the
/// game's own evaluation. The interval of the best line reaches from the lowest to the
/// highest value of the last depths. Other lines are refuted: their share is an upper
/// bound, and their interval reaches from 0 to it. Their visits count nodes.
///
/// With `nodes`, one thread and no `seconds`, the same seed gives the same analysis.
///
/// With `evaluate`, a tree search by PUCT asks a Python function about its leaves, in
/// batches. The function gets a `LeafBatch` of B positions and returns `(policy, value)`.
/// `policy` has the shape (B, action_count): the probability of each action id. Values of
/// illegal actions are ignored, and the legal ones need not sum to 1. `value` has the shape
/// (B, seats): the expected share of the game of each seat, from 0 to 1 with sum 1. For two
/// seats a share is (return + 1) / 2. Anything that NumPy can convert to float32 will do.
/// The search runs in one thread and uses only `nodes`, `seconds`, `seed`, `memory`,
/// `stop` and the parameters from `evaluate` to `noise`. A full tree ends it.
///
/// A `Network` in place of the function evaluates the leaves in the compiled core, one at a
/// time, and all limits of a tree search apply. With `batch` or `noise`, a network searches as
/// a function does.
///
/// Args:
///     state: The position.
///     seconds: The time limit; 1.0 without any limit in `seconds`, `nodes` or `depth`.
///     nodes: The maximum number of nodes. A simulation visits one.
///     threads: The number of threads that share the tree; all cores if None.
///     seed: The seed of all random choices.
///     method: "tree", "alphabeta", or "auto" for the method that is stronger for the game
///         and the position.
///     depth: The maximum depth of alpha-beta in actions. With "auto" it selects
///         alpha-beta.
///     uniform: Play rollouts with uniformly random actions instead of the game's rollout
///         policy.
///     choose: Only choose an action: play a forced one at once, and stop when no other can
///         become the best.
///     lookahead: The depth in actions of the exhaustive search for forced results that
///         comes first. Above 5, in games of two seats without chance, alpha-beta looks
///         further ahead within a part of the limits.
///     memory: The memory limit of the tree in megabytes. A full tree stops growing, but
///         the search continues.
///     contempt: The part of its share of a draw, from 0 to 0.9, that the seat to act
///         counts as lost. Unproven shares are then those of a game with such draws.
///     evaluate: A function of a `LeafBatch` that returns `(policy, value)`, or a `Network`,
///         in place of rollouts and the game's own evaluation.
///     batch: The maximum number of positions in one call of `evaluate`; if None, 64 for a
///         function, and 1 for a network. A larger one is faster and, at equal nodes, a little
///         weaker.
///     c_puct: The exploration constant of `evaluate`; that of the network, or 1.25, if None.
///     rollouts: The weight of a rollout in the value of a leaf, from 0 to 1; the network has
///         the rest. That of the network, or 0, if None. Needs a `Network` as `evaluate`,
///         without `batch` and `noise`, which search without rollouts.
///     noise: Dirichlet noise for the policy of the position: (alpha, fraction). Needs
///         `evaluate`.
///     stop: Stops the search within a fiftieth of a second and returns the analysis so
///         far. Ctrl-C sets it too.
///
/// Returns:
///     The analysis. Its lines contain every action, the best one first.
///
/// Raises:
///     ValueError: If a limit is out of range, or the method is unknown or does not suit
///         the game or `evaluate`.
///     TypeError, ValueError: If `evaluate` returns anything else than two arrays of the
///         right shapes and ranges. Exceptions of `evaluate` itself propagate.
///
/// Source:
///     Kocsis and Szepesvári, "Bandit based Monte-Carlo Planning" (2006); Silver et al., "A
///     general reinforcement learning algorithm that masters chess, shogi, and Go through
///     self-play" (2018); docs/explanation/search.md.
///
/// >>> state = load("potlatch").start()
/// >>> search(state, nodes=500, threads=1).best in state.legal_actions
/// True
#[pyfunction]
#[pyo3(
    signature = (state, *limits, **keywords),
    text_signature = "(state, seconds=None, nodes=None, threads=None, seed=0, *, method='auto', depth=None, uniform=False, choose=False, lookahead=5, memory=512, contempt=0.0, evaluate=None, batch=None, c_puct=None, rollouts=None, noise=None, stop=None)"
)]
pub(crate) fn search<'py>(
    py: Python<'py>,
    state: &State,
    limits: &Bound<'py, PyTuple>,
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Analysis> {
    let arguments = Arguments::read("search", limits, keywords)?;
    arguments.check_evaluate()?;
    let (limits, stop) = (&arguments.limits, arguments.stop());
    if let Some(function) = &arguments.evaluate {
        if let Ok(network) = function.cast::<Network>()
            && arguments.keywords.is_of_the_tree()
        {
            let mut searcher = state.game.0.searcher();
            return search_kept(py, state, &mut searcher, Some(network.get()), limits, stop);
        }
        refuse_with(
            if function.is_instance_of::<Network>() { "batch or noise" } else { "a function as evaluate" },
            &arguments.of_the_tree,
        )?;
        return evaluate::search(py, state, function, &arguments.keywords, limits, stop);
    }
    let core = &state.state;
    let result = interruptible(py, &state.game.0, stop, |flag| core.search(limits, flag))?.map_err(unsuitable)?;
    Analysis::new(py, result, state.game.0.action_count())
}

/// Refuses arguments that do not suit another one.
fn refuse_with(other: &str, arguments: &[(&str, bool)]) -> PyResult<()> {
    match arguments.iter().find(|&&(_, given)| given) {
        Some((name, _)) => Err(PyValueError::new_err(format!("{name} does not suit {other}: omit it"))),
        None => Ok(()),
    }
}

/// The network of a searcher.
///
/// # Errors
/// `TypeError` for anything else.
fn network_of<'py>(evaluate: &'py Bound<'_, PyAny>) -> PyResult<&'py Network> {
    if let Ok(network) = evaluate.cast::<Network>() {
        return Ok(network.get());
    }
    let name = evaluate.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "evaluate of a Searcher must be a Network, not {name}; for a function, call tavola.search"
    )))
}

/// Searches with a tree that may contain earlier searches, and with a network.
fn search_kept(
    py: Python<'_>,
    state: &State,
    searcher: &mut AnySearcher,
    network: Option<&Network>,
    limits: &Limits,
    stop: Option<&Stop>,
) -> PyResult<Analysis> {
    if let Some(network) = network {
        network.check(py, &state.game)?;
    }
    searcher.set_network(network.map(|network| &network.network));
    let core = &state.state;
    let result = interruptible(py, &state.game.0, stop, |flag| searcher.search(core, limits, flag));
    if result.is_err() {
        searcher.forget(); // after a failure of the rules the tree is wrong
    }
    let result = result?.map_err(unsuitable)?.expect("the games are the same");
    Analysis::new(py, result, state.game.0.action_count())
}

/// A search that keeps its tree from one position to the next.
///
/// It finds the new position in its tree, however many actions later, and whichever seats
/// played them. An unknown position starts a new tree. With `nodes`, one thread and no
/// `seconds`, the same calls give the same analyses. A copy starts with an empty tree.
///
/// Args:
///     game: The game of all positions, or its name.
///
/// >>> game = load("potlatch")
/// >>> searcher = Searcher(game)
/// >>> analysis = searcher.search(game.start(), nodes=2000, threads=1)
/// >>> state = game.start().play(analysis.best)
/// >>> kept = searcher.search(state, nodes=100, threads=1)
/// >>> kept.nodes, sum(line.visits for line in kept.lines) > 100
/// (100, True)
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Searcher {
    game: Game,
    searcher: Mutex<AnySearcher>,
}

impl Searcher {
    fn run(
        &self,
        py: Python<'_>,
        state: &State,
        network: Option<&Network>,
        limits: &Limits,
        stop: Option<&Stop>,
    ) -> PyResult<Analysis> {
        if !self.game.same(&state.game) {
            let (ours, theirs) = (self.game.text(py)?, state.game.text(py)?);
            return Err(PyValueError::new_err(format!("this searcher is for {ours}, and the state is of {theirs}")));
        }
        search_kept(py, state, &mut *self.lock()?, network, limits, stop)
    }

    /// Locks the search; fails if another thread uses it.
    fn lock(&self) -> PyResult<MutexGuard<'_, AnySearcher>> {
        match self.searcher.try_lock() {
            Ok(searcher) => Ok(searcher),
            Err(TryLockError::Poisoned(searcher)) => Ok(searcher.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Err(PyRuntimeError::new_err("this searcher is at work in another thread; let each thread have its own"))
            }
        }
    }
}

#[pymethods]
impl Searcher {
    #[new]
    fn new(game: GameOrName) -> Self {
        let GameOrName(game) = game;
        Self { searcher: Mutex::new(game.0.searcher()), game }
    }

    /// The game of all positions.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// Search for the best action, as the function `search` does.
    ///
    /// The parameters are those of the function; `evaluate` is a `Network`. The limits apply to
    /// this search alone. The visits of the lines include those of earlier searches with the
    /// same network, or without one, and the same `c_puct`, `rollouts`, `uniform` and `contempt`.
    ///
    /// Raises:
    ///     ValueError: If the state is of another game, and as `search` does.
    ///     TypeError: If `evaluate` is not a `Network`.
    ///     RuntimeError: If another thread uses this searcher.
    #[pyo3(
        signature = (state, *limits, **keywords),
        text_signature = "($self, state, seconds=None, nodes=None, threads=None, seed=0, *, method='auto', depth=None, uniform=False, choose=False, lookahead=5, memory=512, contempt=0.0, evaluate=None, c_puct=None, rollouts=None, stop=None)"
    )]
    fn search<'py>(
        &self,
        py: Python<'py>,
        state: &State,
        limits: &Bound<'py, PyTuple>,
        keywords: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Analysis> {
        let arguments = Arguments::read("search", limits, keywords)?;
        if !arguments.keywords.is_of_the_tree() {
            return Err(PyTypeError::new_err("a Searcher takes neither batch nor noise; call tavola.search"));
        }
        let network = arguments.evaluate.as_ref().map(network_of).transpose()?;
        arguments.check_evaluate()?;
        self.run(py, state, network, &arguments.limits, arguments.stop())
    }

    /// Search as an engine does.
    ///
    /// Args:
    ///     state: The position.
    ///     engine: The engine.
    ///     limits: The time in seconds, the nodes and the depth; None for those of the engine.
    ///     seed: The seed of all random choices.
    ///     network: The network of the leaves.
    ///     analyse: Whether to evaluate every action, without contempt, instead of choosing one.
    ///     stop: Stops the search from another thread.
    #[pyo3(signature = (state, engine, *, seed, limits=None, network=None, analyse=false, stop=None))]
    #[allow(clippy::too_many_arguments)] // the keywords of the Python function
    fn _search(
        &self,
        py: Python<'_>,
        state: &State,
        engine: &EngineSpec,
        seed: u64,
        limits: Option<(Option<f64>, Option<u64>, Option<u32>)>,
        network: Option<&Network>,
        analyse: bool,
        stop: Option<&Stop>,
    ) -> PyResult<Analysis> {
        let mut used = Limits { seed, ..engine.spec.limits.clone() };
        if let Some((seconds, nodes, depth)) = limits {
            used = Limits { seconds, nodes, depth, ..used };
        }
        if analyse {
            used = Limits { purpose: Purpose::Analyse, contempt: 0.0, ..used };
        }
        self.run(py, state, network, &used, stop)
    }

    // A copy searches the same game with a tree of its own.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Game,)> {
        (py.get_type::<Self>().into_any(), (self.game.clone(),))
    }

    /// Free the tree and forget all earlier searches.
    ///
    /// Raises:
    ///     RuntimeError: If another thread uses this searcher.
    fn forget(&self) -> PyResult<()> {
        self.lock()?.forget();
        Ok(())
    }
}
