//! Search with an evaluation function in Python.

use std::num::NonZeroUsize;

use numpy::{PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyTuple};
use tavola_core::{Actor, CancelToken};
use tavola_registry::{
    AnyEvaluator, AnyLeaf, C_PUCT, C_PUCT_RANGE, Evaluation, Failed, Limits, NetworkEvaluator, Noise, Settings,
};

use crate::arguments::{Int, in_range, text};
use crate::classes::{Game, State};
use crate::interrupt::{Stop, interruptible};
use crate::network::Network;
use crate::observation;
use crate::python_game::{failed, guarded};
use crate::results::Analysis;

/// The positions of one call of an evaluation function. A seat acts in each.
///
/// The arrays are built at their first use.
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct LeafBatch {
    game: Game,
    leaves: Vec<AnyLeaf>,
    states: PyOnceLock<Py<PyTuple>>,
    to_act: PyOnceLock<Py<PyArray1<i32>>>,
    masks: PyOnceLock<Py<PyArray2<bool>>>,
    observations: PyOnceLock<Py<PyAny>>,
}

#[pymethods]
impl LeafBatch {
    /// The game of all positions.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// The positions.
    #[getter]
    fn states<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let states = self.states.get_or_try_init(py, || {
            let state = |leaf: &AnyLeaf| State { game: self.game.clone(), state: leaf.state.clone() };
            PyTuple::new(py, self.leaves.iter().map(state)).map(Bound::unbind)
        })?;
        Ok(states.bind(py).clone())
    }

    /// The seat to act in each position: int32, shape (B,).
    #[getter]
    fn to_act<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<i32>> {
        let seats = self.to_act.get_or_init(py, || {
            let seat = |leaf: &AnyLeaf| match leaf.state.to_act() {
                Actor::Seat(seat) => seat.into(),
                Actor::Chance | Actor::Terminal => -1,
            };
            PyArray1::from_vec(py, self.leaves.iter().map(seat).collect()).unbind()
        });
        seats.bind(py).clone()
    }

    /// Whether each action id is legal in each position: bool, shape (B, action_count).
    #[getter]
    fn masks<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<bool>>> {
        let masks = self.masks.get_or_try_init(py, || {
            let count = self.game.0.action_count();
            let mut flags = vec![false; self.leaves.len() * count];
            for (leaf, flags) in self.leaves.iter().zip(flags.chunks_exact_mut(count)) {
                leaf.ids.iter().for_each(|&id| flags[id] = true);
            }
            PyArray1::from_vec(py, flags).reshape([self.leaves.len(), count]).map(Bound::unbind)
        })?;
        Ok(masks.bind(py).clone())
    }

    /// The observation of the seat to act in each position.
    ///
    /// Float32, shape (B, planes, rows, columns).
    ///
    /// `Game.observation_space` describes the planes. For another seat, layout or data type,
    /// ask the states.
    ///
    /// Raises:
    ///     ValueError: If the game has no observations.
    #[getter]
    fn observations<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let observations = self.observations.get_or_try_init(py, || {
            let game = &self.game.0;
            let states = self.leaves.iter().map(|leaf| &leaf.state);
            guarded(py, game, || observation::all(py, game, states))?.map(Bound::unbind)
        })?;
        Ok(observations.bind(py).clone())
    }

    fn __len__(&self) -> usize {
        self.leaves.len()
    }

    fn __repr__(&self) -> String {
        format!("<LeafBatch of {}: {} positions>", self.game.0.info().name, self.leaves.len())
    }
}

/// The evaluator that calls a function in Python, and keeps its exception.
pub(crate) struct PythonEvaluator<'a> {
    game: &'a Game,
    function: Py<PyAny>,
    error: Option<PyErr>,
    /// Whether the rules of a Python game have failed.
    failed: Box<dyn Fn() -> bool + Send + 'a>,
}

impl<'a> PythonEvaluator<'a> {
    /// The evaluator of a function.
    ///
    /// # Errors
    /// `TypeError` if it is not callable.
    pub(crate) fn new(game: &'a Game, function: &Bound<'_, PyAny>) -> PyResult<Self> {
        if !function.is_callable() {
            let name = function.get_type().name()?;
            return Err(PyTypeError::new_err(format!(
                "evaluate must be a function of one batch or a Network, not {name}"
            )));
        }
        let failed = Box::new(failed(&game.0));
        Ok(Self { game, function: function.clone().unbind(), error: None, failed })
    }

    /// The result of a search whose rules have not failed, or the exception that ended it.
    pub(crate) fn unwrap<T>(self, result: Result<T, Failed>) -> PyResult<T> {
        result.map_err(|Failed| self.error.expect("the evaluator keeps its exception"))
    }

    fn keep(&mut self, result: PyResult<()>) -> Result<(), Failed> {
        if (self.failed)() {
            return Err(Failed); // the caller raises the failure
        }
        result.map_err(|error| {
            self.error = Some(error);
            Failed
        })
    }

    fn call(&self, py: Python<'_>, leaves: Vec<AnyLeaf>, evaluations: &mut [Evaluation<'_>]) -> PyResult<()> {
        let ids: Vec<Vec<usize>> = leaves.iter().map(|leaf| leaf.ids.clone()).collect();
        let batch = LeafBatch {
            game: self.game.clone(),
            leaves,
            states: PyOnceLock::new(),
            to_act: PyOnceLock::new(),
            masks: PyOnceLock::new(),
            observations: PyOnceLock::new(),
        };
        let result = self.function.bind(py).call1((batch,))?;
        let (policy, value) = pair(&result)?;
        let (count, actions, seats) = (evaluations.len(), self.game.0.action_count(), self.game.0.seats());
        let policy = floats(&policy, "policy", "one probability for each position and action id", [count, actions])?;
        let value = floats(&value, "value", "one share for each position and seat", [count, seats])?;
        let (policy, value) = (policy.as_slice()?, value.as_slice()?);
        let rows = policy.chunks_exact(actions).zip(value.chunks_exact(seats));
        for (number, ((evaluation, ids), (policy, shares))) in evaluations.iter_mut().zip(&ids).zip(rows).enumerate() {
            copy_priors(number, policy, ids, evaluation.priors)?;
            check_shares(number, shares)?;
            evaluation.shares.copy_from_slice(shares);
        }
        Ok(())
    }
}

impl AnyEvaluator for PythonEvaluator<'_> {
    fn evaluate(&mut self, leaves: Vec<AnyLeaf>, evaluations: &mut [Evaluation<'_>]) -> Result<(), Failed> {
        let called = Python::attach(|py| self.call(py, leaves, evaluations));
        self.keep(called)
    }

    fn poll(&mut self) -> Result<(), Failed> {
        #[allow(clippy::redundant_closure_for_method_calls)] // the method is not general enough
        let signals = Python::attach(|py| py.check_signals());
        self.keep(signals)
    }
}

fn pair<'py>(result: &Bound<'py, PyAny>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
    let is_pair = (result.is_instance_of::<PyTuple>() || result.is_instance_of::<PyList>()) && result.len()? == 2;
    if is_pair {
        return Ok((result.get_item(0)?, result.get_item(1)?));
    }
    let name = result.get_type().name()?;
    let given = result.len().map_or_else(|_| name.to_string(), |len| format!("{name} of length {len}"));
    Err(PyTypeError::new_err(format!("evaluate must return (policy, value), not {given}")))
}

/// An array of 32-bit floats, converted from anything that NumPy can convert.
fn floats<'py>(
    object: &Bound<'py, PyAny>,
    name: &str,
    content: &str,
    shape: [usize; 2],
) -> PyResult<PyReadonlyArray2<'py, f32>> {
    let py = object.py();
    let numpy = py.import("numpy")?;
    let keywords = PyDict::new(py);
    keywords.set_item("dtype", "float32")?;
    keywords.set_item("order", "C")?;
    let array = numpy.call_method("asarray", (object,), Some(&keywords))?;
    if let Ok(array) = array.cast::<PyArray2<f32>>()
        && array.shape() == shape
    {
        return Ok(array.readonly());
    }
    let given = array.getattr("shape")?;
    let [rows, columns] = shape;
    let wanted = format!("{name} of shape ({rows}, {columns}), {content}");
    Err(PyValueError::new_err(format!("evaluate must return a {wanted}, not of shape {given}")))
}

/// Copies the weights of the legal actions.
fn copy_priors(number: usize, policy: &[f32], ids: &[usize], priors: &mut [f32]) -> PyResult<()> {
    let wrong = |&&id: &&usize| !(policy[id].is_finite() && policy[id] >= 0.0);
    if let Some(&id) = ids.iter().find(wrong) {
        return Err(PyValueError::new_err(format!(
            "evaluate returned policy[{number}, {id}] = {}; the policy must be finite and 0 or more for every legal \
             action, as from a softmax over the actions",
            text(policy[id])
        )));
    }
    if ids.iter().all(|&id| policy[id] == 0.0) {
        return Err(PyValueError::new_err(format!(
            "evaluate returned policy[{number}] with 0 for every legal action; mask the illegal actions before the \
             softmax, or return 1 for every action"
        )));
    }
    priors.iter_mut().zip(ids).for_each(|(prior, &id)| *prior = policy[id]);
    Ok(())
}

/// The tolerance of the sum of the shares, for 16-bit floats.
const TOLERANCE: f32 = 0.01;

fn check_shares(number: usize, shares: &[f32]) -> PyResult<()> {
    let in_range = shares.iter().all(|share| (-1e-6..=1.0 + TOLERANCE).contains(share));
    if in_range && (shares.iter().sum::<f32>() - 1.0).abs() <= TOLERANCE {
        return Ok(());
    }
    let given: Vec<String> = shares.iter().map(|&share| text(share)).collect();
    Err(PyValueError::new_err(format!(
        "evaluate returned value[{number}] = [{}]; the shares of the seats must be from 0 to 1 with sum 1, as from a \
         softmax over the seats",
        given.join(", ")
    )))
}

/// The default number of positions in a batch of a Python function, whose calls are slow.
const BATCH: u64 = 64;

/// The default number of positions in a batch of a network in the core.
const ONE: u64 = 1;

/// The keywords of a search with an evaluation function.
pub(crate) struct Keywords {
    pub(crate) batch: Option<Int>,
    pub(crate) c_puct: Option<f32>,
    pub(crate) rollouts: Option<f32>,
    pub(crate) noise: Option<(f32, f32)>,
}

impl Keywords {
    /// Refuses keywords that need an evaluation function.
    ///
    /// # Errors
    /// `ValueError` with the first of them.
    pub(crate) fn refuse(&self) -> PyResult<()> {
        let given = [
            ("batch", self.batch.is_some()),
            ("c_puct", self.c_puct.is_some()),
            ("rollouts", self.rollouts.is_some()),
            ("noise", self.noise.is_some()),
        ];
        match given.into_iter().find(|&(_, given)| given) {
            Some((name, _)) => {
                Err(PyValueError::new_err(format!("{name} needs evaluate: pass a function, or omit it")))
            }
            None => Ok(()),
        }
    }

    /// Whether a network with these keywords searches as one tree that threads share.
    pub(crate) fn is_of_the_tree(&self) -> bool {
        self.batch.is_none() && self.noise.is_none()
    }

    /// The settings of a search with a network, or otherwise a Python function.
    ///
    /// # Errors
    /// `ValueError` for a value out of range.
    pub(crate) fn settings(
        &self,
        network: Option<&Network>,
        seconds: Option<f64>,
        nodes: u32,
        seed: u64,
        memory: u64,
    ) -> PyResult<Settings> {
        let of_network = network.and_then(|network| network.network.shape().c_puct);
        let c_puct = in_range(self.c_puct.or(of_network).unwrap_or(C_PUCT), &C_PUCT_RANGE, "c_puct")?;
        let batch = if network.is_some() { ONE } else { BATCH };
        let batch = self.batch.clone().unwrap_or(Int::new(batch)).at_least::<u32>(1, "batch")?;
        let defaults = Settings::default();
        let noise = self.noise.map(|(alpha, fraction)| {
            if !(alpha.is_finite() && alpha > 0.0) {
                let given = text(alpha);
                return Err(PyValueError::new_err(format!("the alpha of noise must be above 0, not {given}")));
            }
            if !(0.0..=1.0).contains(&fraction) {
                let given = text(fraction);
                return Err(PyValueError::new_err(format!("the fraction of noise must be from 0 to 1, not {given}")));
            }
            Ok(Noise { alpha, fraction })
        });
        let batch = NonZeroUsize::new(batch as usize).unwrap_or(defaults.batch);
        Ok(Settings { nodes, seconds, batch, c_puct, noise: noise.transpose()?, seed, memory })
    }
}

/// Searches one position with an evaluation function or a network.
pub(crate) fn search(
    py: Python<'_>,
    state: &State,
    evaluate: &Bound<'_, PyAny>,
    keywords: &Keywords,
    limits: &Limits,
    stop: Option<&Stop>,
) -> PyResult<Analysis> {
    let nodes = limits.nodes.unwrap_or(u64::MAX).min(u32::MAX.into()) as u32;
    let settings =
        |network: Option<&Network>| keywords.settings(network, limits.seconds, nodes, limits.seed, limits.memory);
    let (game, core, own) = (&state.game.0, &state.state, Stop::default());
    if let Ok(network) = evaluate.cast::<Network>() {
        let (network, settings) = (network.get(), settings(Some(network.get()))?);
        network.check(py, &state.game)?;
        let mut evaluator = NetworkEvaluator::new(&network.network);
        let search = |stop: &CancelToken| game.puct().search(core, &settings, &mut evaluator, stop);
        let result = interruptible(py, game, stop, search)?.expect("a network evaluates every position");
        return Analysis::new(py, result, game.action_count());
    }
    let mut evaluator = PythonEvaluator::new(&state.game, evaluate)?;
    let settings = &settings(None)?;
    let token = stop.unwrap_or(&own).token();
    let result = guarded(py, game, || py.detach(|| game.puct().search(core, settings, &mut evaluator, token)))?;
    Analysis::new(py, evaluator.unwrap(result)?, game.action_count())
}
