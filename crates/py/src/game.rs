//! Games: immutable values.

use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use tavola_core::{Outcome, Solving, Text};

use crate::actions::Actions;
use crate::catalogue;
use crate::classes::{Game, Reduced, State};
use crate::errors;
use crate::gc::Untracked;
use crate::interrupt::{Stop, interruptible};
use crate::network::Network;
use crate::observation::{self, ObservationSpace};
use crate::python_game::guarded;
use crate::symmetry::Symmetry;

impl Game {
    pub(crate) fn same(&self, other: &Self) -> bool {
        self.0.info().name == other.0.info().name && self.0.options() == other.0.options()
    }

    pub(crate) fn hash(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.0.info().name, self.0.options()).hash(&mut hasher);
        hasher.finish()
    }
}

/// Return the names of all games, sorted; also of registered Python games.
///
/// >>> "potlatch" in games()
/// True
#[pyfunction]
pub(crate) fn games(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, catalogue::names(py)?)
}

/// Load a game. Missing options have their defaults.
///
/// Args:
///     name: The name of the game, or the path of a Python file with a game (`mygame.py`).
///     **options: Values by option, numbers or words. `rules_version` selects an older
///         version of the rules that the game still supports.
///
/// Raises:
///     UnknownGame: If there is no such game.
///     OptionError: If the game has no such option or value; lists every valid one.
///     GameFailed: If a Python file contains no game, or its rules fail.
///
/// >>> load("potlatch", actions=3)
/// tavola.load("potlatch", actions=3, layout='triangle')
#[pyfunction]
#[pyo3(signature = (name, /, **options))]
pub(crate) fn load(py: Python<'_>, name: &str, options: Option<&Bound<'_, PyDict>>) -> PyResult<Game> {
    let mut given: Vec<(String, String)> = Vec::new();
    for (option, value) in options.into_iter().flatten() {
        // Values are words or numbers; both are identified by their text.
        given.push((option.extract()?, value.str()?.extract()?));
    }
    catalogue::open(py, name, &given).map(Game)
}

/// Restore a pickled game.
///
/// Args:
///     name: The name of the game.
///     options: Values by option.
#[pyfunction]
#[pyo3(name = "_restore_game")]
pub(crate) fn restore_game(py: Python<'_>, name: &str, options: &Bound<'_, PyDict>) -> PyResult<Game> {
    load(py, name, Some(options))
}

/// Restore a pickled state.
///
/// Args:
///     name: The name of the game.
///     options: Values by option.
///     text: The position text.
#[pyfunction]
#[pyo3(name = "_restore_state")]
pub(crate) fn restore_state(
    py: Python<'_>,
    name: &str,
    options: &Bound<'_, PyDict>,
    text: &str,
) -> PyResult<Untracked<State>> {
    restore_game(py, name, options)?.parse(py, text)
}

#[pymethods]
impl Game {
    /// The name, as in `load`.
    #[getter]
    fn name(&self) -> &'static str {
        self.0.info().name
    }

    /// The values of all options.
    #[getter]
    pub(crate) fn options<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let options = PyDict::new(py);
        for (name, value) in self.0.options().iter() {
            // A number only if its text is how the number is written: `05` is a word.
            match value.parse::<i64>().ok().filter(|number| number.to_string() == value) {
                Some(number) => options.set_item(name, number)?,
                None => options.set_item(name, value)?,
            }
        }
        Ok(options)
    }

    /// The number of players.
    #[getter]
    fn seats(&self) -> usize {
        self.0.seats()
    }

    /// The version of the rules.
    ///
    /// It increases when the same actions can lead to another result. An old match may use an
    /// older version.
    #[getter]
    fn rules_version(&self) -> u32 {
        self.0.options().rules_version()
    }

    /// Whether the game has chance outcomes, such as a shuffle or a roll.
    #[getter]
    fn has_chance(&self) -> bool {
        self.0.info().has_chance
    }

    /// The number of distinct actions of seats.
    ///
    /// The actions are numbered from 0 to this number minus 1.
    #[getter]
    fn action_count(&self) -> usize {
        self.0.action_count()
    }

    /// The actions by id: a lazy sequence of tokens, the same in every state.
    ///
    /// >>> actions = load("potlatch").actions
    /// >>> actions[3], actions.index("Pne")
    /// ('Cse', 7)
    #[getter]
    fn actions(&self) -> Actions {
        Actions(self.clone())
    }

    /// The tokens of all chance outcomes of the game; empty without chance.
    ///
    /// Every state lists its own outcomes with their weights in `chance_outcomes`.
    ///
    /// >>> load("potlatch").chance_tokens
    /// ()
    #[getter]
    fn chance_tokens<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.0.chance_tokens())
    }

    /// The shape of observations, and the meaning of every plane.
    ///
    /// Raises:
    ///     ValueError: If the game has no observations.
    #[getter]
    fn observation_space(&self) -> PyResult<ObservationSpace> {
        observation::space(&self.0)?;
        Ok(ObservationSpace(self.clone()))
    }

    /// The symmetries of the game under its options, the identity first.
    ///
    /// >>> len(load("potlatch").symmetries)
    /// 12
    #[getter]
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let numbers = 0..self.0.space().symmetries.len();
        PyTuple::new(py, numbers.map(|number| Symmetry { game: self.clone(), number }).collect::<Vec<_>>())
    }

    /// The weights of the game's evaluation by feature; empty without an evaluation.
    ///
    /// >>> load("potlatch").weights["stacks_3"] > 0
    /// True
    #[getter]
    fn weights<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let weights = PyDict::new(py);
        for (name, weight) in self.0.features().iter().zip(self.0.weights()) {
            // The number that is written in the file, and not the nearest of 32 bits.
            weights.set_item(name, weight.to_string().parse::<f64>()?)?;
        }
        Ok(weights)
    }

    /// The neural network of the game for its options; None without one.
    ///
    /// The last level (`tavola.levels`) plays with it, and hints and analyses search with it.
    ///
    /// >>> load("potlatch").network is None, load("potlatch", layout="row").network is None
    /// (False, True)
    #[getter]
    fn network(&self) -> Option<Network> {
        let network = Arc::clone(self.0.own_network()?);
        Some(Network { game: self.clone(), network })
    }

    /// Return this game with the solution of a file, by which it knows perfect play.
    ///
    /// Raises:
    ///     SolutionError: If the file cannot be read, is not of this game with its options, or is
    ///         damaged, or if no method solves the game.
    fn _solved_by(&self, py: Python<'_>, file: PathBuf) -> PyResult<Self> {
        py.detach(|| self.0.solved_by(&file)).map(Self).map_err(|fault| errors::solution(py, &fault))
    }

    /// Return the legal actions with the best result by the solution.
    ///
    /// Args:
    ///     state: A position of this game in which a seat acts.
    ///     stop: Ends the work early; then all legal actions are returned.
    #[pyo3(signature = (state, stop=None))]
    fn _perfect_actions(&self, py: Python<'_>, state: &State, stop: Option<&Stop>) -> PyResult<Vec<String>> {
        let actions = interruptible(py, &self.0, stop, |stop| self.0.perfect_actions(&state.state, stop))?;
        actions.ok_or_else(|| PyValueError::new_err("the state is of another game"))
    }

    /// Return the result of perfect play and the best actions, if a solution tells them at once.
    ///
    /// Args:
    ///     state: A position of this game.
    ///
    /// Returns:
    ///     The share of each seat and the ids of the actions, or None.
    fn _solved_actions(&self, py: Python<'_>, state: &State) -> PyResult<Option<(Vec<f64>, Vec<usize>)>> {
        let solved = guarded(py, &self.0, || self.0.solved_actions(&state.state))?;
        Ok(solved.map(|(winners, actions)| (Outcome { winners, reason: "" }.shares(self.0.seats()), actions)))
    }

    /// Solve the game, and write the solution to a file.
    ///
    /// Args:
    ///     file: The file.
    ///     threads: The number of threads.
    ///     memory: The memory of the machine in bytes; None if it is unknown.
    ///     tell: Gets each completed step as a message.
    ///
    /// Raises:
    ///     SolutionError: If no method solves the game, memory is missing, or a file cannot be
    ///         written.
    fn _solve(
        &self,
        py: Python<'_>,
        file: PathBuf,
        threads: NonZeroUsize,
        memory: Option<u64>,
        tell: Py<PyAny>,
    ) -> PyResult<()> {
        let mut told = Ok(());
        let result = interruptible(py, &self.0, None, |stop| {
            let mut report = |text: &Text| {
                let result = Python::attach(|py| tell.call1(py, (errors::said(py, None, text)?,)).map(drop));
                if result.is_err() {
                    stop.cancel();
                    told = result;
                }
            };
            let mut work = Solving { file: &file, threads, memory, report: &mut report, stop };
            self.0.solve(self.0.options(), &mut work)
        })?;
        told?;
        result.map_err(|fault| errors::solution(py, &fault))
    }

    /// Return the first position.
    fn start(&self, py: Python<'_>) -> PyResult<Untracked<State>> {
        let state = guarded(py, &self.0, || self.0.start())?;
        Ok(Untracked(State { game: self.clone(), state }))
    }

    /// Parse a position text, in the format of the game's rule book.
    ///
    /// Args:
    ///     text: A position text, as of `State.text`.
    ///
    /// Raises:
    ///     PositionError: With every error in the text.
    ///
    /// >>> game = load("potlatch")
    /// >>> game.parse(game.start().text) == game.start()
    /// True
    pub(crate) fn parse(&self, py: Python<'_>, text: &str) -> PyResult<Untracked<State>> {
        let state = guarded(py, &self.0, || self.0.parse(text))?
            .map_err(|error| errors::position(py, &self.0, text, &error))?;
        Ok(Untracked(State { game: self.clone(), state }))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.same(other)
    }

    fn __hash__(&self) -> u64 {
        self.hash()
    }

    #[pyo3(name = "__repr__")]
    pub(crate) fn text(&self, py: Python<'_>) -> PyResult<String> {
        let mut arguments = vec![format!("{:?}", self.name())];
        for (name, value) in self.options(py)? {
            arguments.push(format!("{name}={}", value.repr()?));
        }
        Ok(format!("tavola.load({})", arguments.join(", ")))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Reduced<'py, (&'static str, Bound<'py, PyDict>)>> {
        Ok((py.import("tavola._core")?.getattr("_restore_game")?, (self.name(), self.options(py)?)))
    }
}
