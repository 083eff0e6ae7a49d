//! Neural networks in Python.

use std::collections::HashMap;
use std::sync::Arc;

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyType};
use tavola_core::{Actor, Features};
use tavola_registry::{AnyState, C_PUCT_RANGE, NetworkDesign, NetworkEvaluator, ROLLOUTS_RANGE, Tensors, Weights};

use crate::arguments::{GameOrName, in_range};
use crate::batch::{of_one_game, states_of, targets_as_arrays};
use crate::catalogue;
use crate::classes::{Game, Reduced, State};
use crate::observation;
use crate::python_game::guarded;

/// The names of the layers, in the order of [`Tensors::all`].
const LAYERS: [&str; 4] = ["input", "value", "shares", "policy"];

/// A neural network: a policy over the actions and a share of the game for each seat.
///
/// It evaluates positions in the compiled core, in a few microseconds each. Pass it to
/// `search` or `search_batch` as `evaluate`. `tavola train` makes network files.
///
/// The input x is the flat observation of the seat to act (`State.observation`), float32. With
/// the arrays of `weights`:
///
///     hidden = relu(x @ input.weight + input.bias)
///     policy = softmax(hidden @ policy.weight + policy.bias), over the legal action ids
///     second = relu(hidden @ value.weight + value.bias)
///     shares = softmax(second @ shares.weight + shares.bias), the seat to act first and the
///         others clockwise
///
/// A network with `features` also reads the game's evaluation. The terms of each seat are its
/// features (`State.features`) times the weights in `features`, less the mean over the seats.
/// The terms of all seats, the seat to act first, limited to values from -4 to 4, extend x.
/// `shares.weight` has one more column, whose output is the factor of the sum of each seat's
/// terms, which is added to its logit.
///
/// With `looks` the policy also reads the look of each action, from -8 to 8. A look is the
/// logarithm of the odds of the seat to act after the action, by the evaluation with these
/// weights. `policy.weight` has one more column, whose output is the factor of the looks.
///
/// Args:
///     data: The contents of a network file.
///
/// Raises:
///     ValueError: If the data is not a network file, is damaged, or is for a newer version
///         of Tavola or for other observations.
///     UnknownGame, OptionError: If the network is for an unknown game or options.
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Network {
    pub(crate) game: Game,
    pub(crate) network: Arc<tavola_registry::Network>,
}

fn invalid(error: impl ToString) -> PyErr {
    PyValueError::new_err(error.to_string())
}

#[pymethods]
impl Network {
    #[new]
    fn new(py: Python<'_>, data: &[u8]) -> PyResult<Self> {
        let mut shape = tavola_registry::Network::shape_of(data).map_err(invalid)?;
        shape.options.insert("rules_version".to_owned(), shape.rules_version.to_string());
        let game = catalogue::open(py, &shape.game, &shape.options.into_iter().collect::<Vec<_>>())?;
        let network = Arc::new(game.read_network(data).map_err(invalid)?);
        Ok(Self { game: Game(game), network })
    }

    /// Return a network with the nearest weights of 8 bits.
    ///
    /// Args:
    ///     game: The game with its options.
    ///     weights: The arrays `input.weight` (inputs, hidden), `value.weight` (hidden,
    ///         second), `shares.weight` (second, seats), `policy.weight` (hidden, actions), and
    ///         a vector `LAYER.bias` for each of these layers; float32. Features and looks
    ///         extend them, as above.
    ///     about: A line on where the network comes from.
    ///     features: The weight of each feature of the game's evaluation, such as
    ///         `Game.weights`; empty or None for a network that does not read it.
    ///     looks: Whether the policy reads the evaluation after each action.
    ///     c_puct: The exploration constant of its searches, from 0 to 100; None is the default
    ///         of `search`.
    ///     rollouts: The weight of a rollout in the value of each leaf of its searches, from 0 to
    ///         1; None is 0.
    ///
    /// Raises:
    ///     ValueError: If an array is missing, has another shape or a number that is not
    ///         finite, or if the game has no observations or other features. Also if there are
    ///         looks without features, or `c_puct` or `rollouts` is out of range.
    #[allow(clippy::too_many_arguments)] // the keywords of the Python function
    #[classmethod]
    #[pyo3(
        signature = (game, weights, about="", *, features=None, looks=false, c_puct=None, rollouts=None),
        text_signature = "($cls, game, weights, about='', *, features=None, looks=False, c_puct=None, rollouts=None)"
    )]
    fn from_weights(
        _cls: &Bound<'_, PyType>,
        game: GameOrName,
        weights: &Bound<'_, PyDict>,
        about: &str,
        features: Option<HashMap<String, f32>>,
        looks: bool,
        c_puct: Option<f32>,
        rollouts: Option<f32>,
    ) -> PyResult<Self> {
        let GameOrName(game) = game;
        let c_puct = c_puct.map(|given| in_range(given, &C_PUCT_RANGE, "c_puct")).transpose()?;
        let rollouts = rollouts.map(|given| in_range(given, &ROLLOUTS_RANGE, "rollouts")).transpose()?;
        let features = ordered(&game, &features.unwrap_or_default())?;
        if looks && features.is_empty() {
            return Err(PyValueError::new_err("looks need the features of the game's evaluation"));
        }
        let terms = features.len() * game.0.seats();
        let inputs = observation::space(&game.0)?.flat_len() + terms;
        let bias = |layer: &str| Ok::<_, PyErr>(array(weights, &format!("{layer}.bias"), None)?.0);
        let (hidden, second) = (bias("input")?.len(), bias("value")?.len());
        let (seats, actions) = (game.0.seats(), game.0.action_count());
        let layer = |name: &str, inputs: usize, outputs: usize| {
            let weight = array(weights, &format!("{name}.weight"), Some(&[inputs, outputs]))?.0;
            let bias = array(weights, &format!("{name}.bias"), Some(&[outputs]))?.0;
            Ok::<_, PyErr>(Weights { weight, bias })
        };
        let tensors = Tensors {
            input: layer("input", inputs, hidden)?,
            value: layer("value", hidden, second)?,
            shares: layer("shares", second, seats + usize::from(!features.is_empty()))?,
            policy: layer("policy", hidden, actions + usize::from(looks))?,
        };
        let design = NetworkDesign { hidden, second, features: &features, looks, c_puct, rollouts, about };
        let network = Arc::new(game.0.new_network(&design, &tensors));
        Ok(Self { game, network })
    }

    /// The game with its options.
    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    /// Where the network comes from.
    #[getter]
    fn about(&self) -> &str {
        &self.network.shape().about
    }

    /// The weights of the features that the network reads, by name; empty if it reads none.
    #[getter]
    fn features<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, weight) in &self.network.shape().features {
            // The number that is written in the file, and not the nearest of 32 bits.
            dict.set_item(name, weight.to_string().parse::<f64>()?)?;
        }
        Ok(dict)
    }

    /// Whether the policy reads the evaluation after each action.
    #[getter]
    fn looks(&self) -> bool {
        self.network.shape().looks
    }

    /// The exploration constant of its searches; None is the default of `search`.
    #[getter]
    fn c_puct(&self) -> Option<f32> {
        self.network.shape().c_puct
    }

    /// The weight of a rollout in the value of each leaf of its searches; None is 0.
    #[getter]
    fn rollouts(&self) -> Option<f32> {
        self.network.shape().rollouts
    }

    /// The weights as a new dictionary of float32 arrays, as for `from_weights`.
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        let shapes = self.network.shape().layers();
        for ((name, layer), (inputs, outputs)) in LAYERS.into_iter().zip(self.network.weights().all()).zip(shapes) {
            let weight = PyArray1::from_slice(py, &layer.weight).reshape([inputs, outputs])?;
            dict.set_item(format!("{name}.weight"), weight)?;
            dict.set_item(format!("{name}.bias"), PyArray1::from_slice(py, &layer.bias))?;
        }
        Ok(dict)
    }

    /// Return the contents of a network file.
    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.network.to_bytes())
    }

    /// Evaluate positions without a search.
    ///
    /// Args:
    ///     states: Positions of the network's game and options.
    ///
    /// Returns:
    ///     `Targets(policies, values)`: `policies` float32 (B, action_count), the probability of
    ///     each action id, 0 for illegal ones and where no seat acts. `values` float32 (B,
    ///     seats), each seat's expected share of the game; exact after the end of the game, and
    ///     equal shares where chance acts.
    ///
    /// Raises:
    ///     ValueError: If there are no states, or one is of another game or options.
    fn evaluate<'py>(&self, py: Python<'py>, states: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let states = states_of(states)?;
        self.check(py, &of_one_game(py, &states)?)?;
        let (actions, seats) = (self.game.0.action_count(), self.game.0.seats());
        let states: Vec<&AnyState> = states.iter().map(|state| &state.get().state).collect();
        let (policies, values) = guarded(py, &self.game.0, || {
            let mut evaluator = NetworkEvaluator::new(&self.network);
            let (mut policies, mut values) = (vec![0.0; states.len() * actions], vec![0.0; states.len() * seats]);
            let rows = policies.chunks_exact_mut(actions).zip(values.chunks_exact_mut(seats));
            for (state, (policy, shares)) in states.iter().zip(rows) {
                evaluate_any(&mut evaluator, state, policy, shares);
            }
            (policies, values)
        })?;
        targets_as_arrays(py, states.len(), actions, policies, values)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shape = self.network.shape();
        let game = self.game.text(py)?;
        Ok(format!("<Network for {game}: {} inputs, {} and {} units>", shape.inputs, shape.hidden, shape.second))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>,)> {
        (py.get_type::<Self>().into_any(), (self.to_bytes(py),))
    }
}

impl Network {
    /// Refuses positions of another game.
    ///
    /// # Errors
    /// `ValueError` if the game or options are not the network's.
    pub(crate) fn check(&self, py: Python<'_>, game: &Game) -> PyResult<()> {
        if self.game.same(game) {
            return Ok(());
        }
        let (ours, theirs) = (self.game.text(py)?, game.text(py)?);
        Err(PyValueError::new_err(format!("the network is for {ours}, and the position is of {theirs}")))
    }
}

/// Evaluates any position: the game may be over, or chance may act.
fn evaluate_any(evaluator: &mut NetworkEvaluator<'_>, state: &AnyState, policy: &mut [f32], shares: &mut [f32]) {
    match state.to_act() {
        Actor::Seat(_) => {
            let ids = state.legal_actions();
            let mut priors = vec![0.0; ids.len()];
            evaluator.evaluate_one(state, &ids, &mut priors, shares);
            ids.into_iter().zip(priors).for_each(|(id, prior)| policy[id] = prior);
        }
        Actor::Chance => shares.fill(1.0 / shares.len() as f32),
        Actor::Terminal => shares.copy_from_slice(&state.estimate()),
    }
}

/// Evaluate a position after each legal action.
///
/// Args:
///     state: A position in which a seat acts.
///     features: The weight of each feature.
///
/// Returns:
///     The logarithm of the odds of the seat to act, from -8 to 8: float32, in the order of
///     `State.legal_ids`.
///
/// Raises:
///     ValueError: If no seat acts, or the game has other features.
#[pyfunction]
#[pyo3(name = "_looks")]
pub(crate) fn looks<'py>(
    py: Python<'py>,
    state: &State,
    features: HashMap<String, f32>,
) -> PyResult<Bound<'py, PyArray1<f32>>> {
    if state.state.to_act().seat().is_none() {
        return Err(PyValueError::new_err("no seat acts in this position"));
    }
    let mut weights = Features::default();
    for (weight, given) in weights.iter_mut().zip(ordered(&state.game, &features)?) {
        *weight = given;
    }
    let looks = guarded(py, &state.game.0, || {
        let ids = state.state.legal_actions();
        let mut looks = vec![0.0; ids.len()];
        state.state.looks(&ids, &weights, &mut looks);
        looks
    })?;
    Ok(PyArray1::from_vec(py, looks))
}

/// The weights of features in the order of the game's, or none.
fn ordered(game: &Game, given: &HashMap<String, f32>) -> PyResult<Vec<f32>> {
    if given.is_empty() {
        return Ok(Vec::new());
    }
    let names = game.0.features();
    if let Some(unknown) = given.keys().find(|name| !names.contains(&name.as_str())) {
        return Err(PyValueError::new_err(format!("the game's evaluation has no feature {unknown:?}")));
    }
    let weight = |name: &&str| match given.get(*name) {
        Some(weight) if weight.is_finite() => Ok(*weight),
        Some(weight) => Err(PyValueError::new_err(format!("the weight of {name} is {weight}; it must be finite"))),
        None => Err(PyValueError::new_err(format!("features must contain {name}"))),
    };
    names.iter().map(weight).collect()
}

/// A named array of finite floats, and its shape.
fn array(weights: &Bound<'_, PyDict>, name: &str, shape: Option<&[usize]>) -> PyResult<(Vec<f32>, Vec<usize>)> {
    let Some(given) = weights.get_item(name)? else {
        return Err(PyValueError::new_err(format!("weights must contain the array {name}")));
    };
    let numpy = weights.py().import("numpy")?;
    let given = numpy.call_method1("ascontiguousarray", (given, "float32"))?;
    let array: PyReadonlyArrayDyn<'_, f32> = given.extract()?;
    let found = array.shape().to_vec();
    if shape.is_some_and(|shape| shape != found) {
        let wanted = shape.unwrap_or_default();
        return Err(PyValueError::new_err(format!("{name} must have shape {wanted:?}, not {found:?}")));
    }
    let values = array.as_slice()?.to_vec();
    if let Some(value) = values.iter().find(|value| !value.is_finite()) {
        return Err(PyValueError::new_err(format!("{name} contains {value}; every weight must be finite")));
    }
    Ok((values, found))
}
