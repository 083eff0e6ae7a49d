//! The environments behind `tavola.vector`, and the arrays of Python that they write.

use std::sync::{Mutex, TryLockError};

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tavola_core::observe::Layout;
use tavola_core::{Arrays, IllegalId, Observations};
use tavola_registry::AnyVectorEnv;

use crate::arguments::{Int, threads_or_all};
use crate::classes::{Game, State};
use crate::errors;
use crate::gc::Untracked;
use crate::python_game::guarded;
use crate::worker_pool::WorkerPool;

/// Environments that write the arrays of a `tavola.VectorEnv`, which checks the arguments.
#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct VectorCore {
    game: Game,
    count: usize,
    /// Locked during each call. Empty after `close`.
    open: Mutex<Option<Open>>,
}

/// Environments that are not closed.
struct Open {
    env: AnyVectorEnv,
    pool: WorkerPool,
    rows: Rows,
}

/// The arrays. They live as long as their buffers are held.
struct Rows {
    observations: Option<NumberRows>,
    masks: PyBuffer<u8>,
    to_act: PyBuffer<i32>,
    rewards: PyBuffer<f32>,
    terminated: PyBuffer<u8>,
    lengths: PyBuffer<i32>,
    returns: PyBuffer<f32>,
}

/// Observations of one of two types.
enum NumberRows {
    Bytes(PyBuffer<u8>),
    Floats(PyBuffer<f32>),
}

impl Rows {
    fn arrays(&mut self) -> Arrays<'_> {
        Arrays {
            observations: match &mut self.observations {
                None => Observations::Without,
                Some(NumberRows::Bytes(rows)) => Observations::Bytes(entries(rows)),
                Some(NumberRows::Floats(rows)) => Observations::Floats(entries(rows)),
            },
            masks: entries(&mut self.masks),
            to_act: entries(&mut self.to_act),
            rewards: entries(&mut self.rewards),
            terminated: entries(&mut self.terminated),
            lengths: entries(&mut self.lengths),
            returns: entries(&mut self.returns),
        }
    }
}

fn entries<T: Element>(buffer: &mut PyBuffer<T>) -> &mut [T] {
    let pointer = buffer.as_slice_ptr().expect("checked to be contiguous");
    // SAFETY: checked to be writable; the buffer holds the memory. Python code that writes the array during a step on
    // another thread changes numbers only, which are never read here.
    unsafe { &mut *pointer.as_ptr() }
}

/// A writable, contiguous buffer of a length.
fn buffer<T: Element>(array: &Bound<'_, PyAny>, length: usize, name: &str) -> PyResult<PyBuffer<T>> {
    let buffer: PyBuffer<T> = PyBuffer::get(array)?;
    if buffer.readonly() || !buffer.is_c_contiguous() || buffer.item_count() != length {
        return Err(PyValueError::new_err(format!("{name} must be writable, contiguous, with {length} entries")));
    }
    Ok(buffer)
}

#[pymethods]
impl VectorCore {
    #[new]
    #[expect(clippy::too_many_arguments)]
    fn new(
        py: Python<'_>,
        game: &Game,
        count: usize,
        seed: Int,
        threads: Option<Int>,
        flat: bool,
        observations: Option<&Bound<'_, PyAny>>,
        masks: &Bound<'_, PyAny>,
        to_act: &Bound<'_, PyAny>,
        rewards: &Bound<'_, PyAny>,
        terminated: &Bound<'_, PyAny>,
        lengths: &Bound<'_, PyAny>,
        returns: &Bound<'_, PyAny>,
    ) -> PyResult<Self> {
        let (seats, actions) = (game.0.seats(), game.0.action_count());
        let (seed, threads) = (seed.at_least(0, "seed")?, threads_or_all(threads)?.get());
        let layout = if flat { Layout::Flat } else { Layout::Planes };
        let mut env = game.0.vector_env(count, seed, layout);
        let numbers = count * env.observation_len();
        let observations = observations.map(|rows| match buffer(rows, numbers, "observations") {
            Ok(bytes) => Ok(NumberRows::Bytes(bytes)),
            Err(_) => buffer(rows, numbers, "observations").map(NumberRows::Floats),
        });
        let mut rows = Rows {
            observations: observations.transpose()?,
            masks: buffer(masks, count * actions, "masks")?,
            to_act: buffer(to_act, count, "to_act")?,
            rewards: buffer(rewards, count * seats, "rewards")?,
            terminated: buffer(terminated, count, "terminated")?,
            lengths: buffer(lengths, count, "lengths")?,
            returns: buffer(returns, count * seats, "returns")?,
        };
        let create = || {
            let pool = WorkerPool::new(threads);
            env.reset(None, rows.arrays(), &pool);
            (env, pool, rows)
        };
        let (env, pool, rows) = guarded(py, &game.0, || py.detach(create))?;
        Ok(Self { count, open: Mutex::new(Some(Open { env, pool, rows })), game: game.clone() })
    }

    /// Play one action in each environment.
    ///
    /// Args:
    ///     ids: The ids of legal actions, int64, of shape (count,).
    ///
    /// Raises:
    ///     IllegalAction: For the first illegal action. No environment has changed.
    fn step(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        // A copy, so that no other thread changes an id after its check.
        let ids = PyBuffer::<i64>::get(ids)?.to_vec(py)?;
        if ids.len() != self.count {
            return Err(PyValueError::new_err(format!("ids must have {} entries", self.count)));
        }
        self.with(py, |open| {
            let Open { env, pool, rows } = open;
            let illegal = env.step(&ids, rows.arrays(), pool).err();
            illegal.map(|error| (error, env.state(error.environment)))
        })?
        .map_or(Ok(()), |(IllegalId { environment, id }, state)| {
            Err(errors::illegal_id(py, &self.game.0, &state, environment, id))
        })
    }

    /// Start new games.
    ///
    /// Args:
    ///     seed: The seed of all random streams; None to continue them.
    ///
    /// Raises:
    ///     ValueError: If the seed is negative or 2**64 or more.
    #[pyo3(signature = (seed=None))]
    fn reset(&self, py: Python<'_>, seed: Option<Int>) -> PyResult<()> {
        let seed = seed.map(|seed| seed.at_least(0, "seed")).transpose()?;
        self.with(py, |Open { env, pool, rows }| env.reset(seed, rows.arrays(), pool))
    }

    /// Draw a legal action for each environment, all equally likely.
    ///
    /// Args:
    ///     ids: The array for the ids, int64, of shape (count,).
    fn random_ids(&self, py: Python<'_>, ids: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut ids = buffer(ids, self.count, "ids")?;
        self.with(py, |Open { env, pool, .. }| env.random_ids(entries(&mut ids), pool))
    }

    /// Return the state of an environment.
    ///
    /// Args:
    ///     environment: Its number, from 0.
    ///
    /// Returns:
    ///     A state in which a seat is to act.
    ///
    /// Raises:
    ///     IndexError: If there is no such environment.
    fn state(&self, py: Python<'_>, environment: usize) -> PyResult<Untracked<State>> {
        let state = self.with(py, |open| open.env.state(environment))?;
        Ok(Untracked(State { game: self.game.clone(), state }))
    }

    /// Whether `close` was called.
    #[getter]
    fn closed(&self) -> bool {
        matches!(self.open.try_lock().as_deref(), Ok(None))
    }

    /// End the threads and free the games. The arrays remain. Closing twice does nothing.
    fn close(&self, py: Python<'_>) {
        py.detach(|| {
            self.open.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take();
        });
    }
}

impl VectorCore {
    /// Calls `work` without the GIL.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Open) -> T + Send) -> PyResult<T> {
        guarded(py, &self.game.0, || self.detached(py, work))?
    }

    fn detached<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut Open) -> T + Send) -> PyResult<T> {
        py.detach(|| {
            let mut open = match self.open.try_lock() {
                Ok(open) => open,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => {
                    let fault = "another thread is using these environments; step them from one thread at a time";
                    return Err(PyRuntimeError::new_err(fault));
                }
            };
            let open = open.as_mut().ok_or_else(|| {
                PyRuntimeError::new_err("the environments are closed; create new ones with tavola.vector")
            })?;
            Ok(work(open))
        })
    }
}
