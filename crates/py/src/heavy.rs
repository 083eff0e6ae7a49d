//! Heavy calls: they release the GIL and end soon after Ctrl-C.

use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use tavola_registry::{AnySearcher, Limits, Method, Purpose, Rollouts, Unsuitable};

use crate::game::Game;
use crate::natural::{Given, natural};
use crate::results::{Analysis, Playouts, Proof};
use crate::state::State;
use crate::stop::Stop;

/// How often a waiting call looks whether Ctrl-C was pressed.
const GLANCE: Duration = Duration::from_millis(50);

/// Runs `work` on another thread without the GIL; ends it when Python has a signal to handle.
fn interruptible<T: Send>(py: Python<'_>, work: impl FnOnce(&tavola_core::CancelToken) -> T + Send) -> PyResult<T> {
    stoppable(py, None, work)
}

/// As [`interruptible`], with what another thread may end it by.
fn stoppable<T: Send>(
    py: Python<'_>,
    asked: Option<&Stop>,
    work: impl FnOnce(&tavola_core::CancelToken) -> T + Send,
) -> PyResult<T> {
    let own = tavola_core::CancelToken::default();
    let stop = asked.map_or(&own, Stop::core);
    let (done, bell) = (Mutex::new(false), Condvar::new());
    thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let ring = Ring { done: &done, bell: &bell };
            let value = work(stop);
            drop(ring);
            value
        });
        let mut signal = Ok(());
        while !py.detach(|| wait(&done, &bell)) {
            signal = py.check_signals();
            if signal.is_err() {
                stop.cancel();
                break;
            }
        }
        let value = py.detach(|| worker.join()).unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        signal.map(|()| value)
    })
}

/// Says that the work has ended, also if it panics.
struct Ring<'a> {
    done: &'a Mutex<bool>,
    bell: &'a Condvar,
}

impl Drop for Ring<'_> {
    fn drop(&mut self) {
        *self.done.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.bell.notify_one();
    }
}

/// Waits a little; true when the work has ended.
fn wait(done: &Mutex<bool>, bell: &Condvar) -> bool {
    let guard = done.lock().unwrap_or_else(PoisonError::into_inner);
    *bell.wait_timeout_while(guard, GLANCE, |done| !*done).unwrap_or_else(PoisonError::into_inner).0
}

/// As many threads as can be started wherever people let a program run, and more than processors have for one tree.
pub(crate) const MOST_THREADS: NonZeroUsize = NonZeroUsize::new(256).expect("not zero");

fn threads_or_all(threads: Option<Given>) -> PyResult<NonZeroUsize> {
    let all = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN).min(MOST_THREADS);
    let threads: Option<usize> = threads.map(|threads| natural("threads", threads, 1)).transpose()?;
    if let Some(threads) = threads.filter(|&threads| threads > MOST_THREADS.get()) {
        return Err(PyValueError::new_err(format!("threads must be at most {MOST_THREADS}, not {threads}")));
    }
    Ok(threads.and_then(NonZeroUsize::new).unwrap_or_else(all))
}

#[pyfunction]
pub(crate) fn perft(py: Python<'_>, state: &State, depth: Given) -> PyResult<u64> {
    let depth = natural("depth", depth, 0)?;
    let core = &state.state;
    let count = interruptible(py, |stop| core.perft(depth, stop))?;
    Ok(count.expect("only a signal stops the count, and then it is raised"))
}

#[pyfunction]
#[pyo3(signature = (state, count, seed=Given::is(0), threads=Given::is(1)), text_signature = "(state, count, seed=0, threads=1)")]
pub(crate) fn playouts(py: Python<'_>, state: &State, count: Given, seed: Given, threads: Given) -> PyResult<Playouts> {
    let (count, seed) = (natural("count", count, 0)?, natural("seed", seed, 0)?);
    let threads = threads_or_all(Some(threads))?.get();
    let core = &state.state;
    let began = Instant::now();
    let total = interruptible(py, |stop| core.playouts(count, seed, threads, stop))?;
    Ok(Playouts::new(total, began.elapsed().as_secs_f64()))
}

#[pyfunction]
#[pyo3(signature = (state, plies=Given::is(6), *, stop=None), text_signature = "(state, plies=6, *, stop=None)")]
pub(crate) fn prove(py: Python<'_>, state: &State, plies: Given, stop: Option<&Stop>) -> PyResult<Option<Proof>> {
    let plies = natural("plies", plies, 0)?;
    let core = &state.state;
    let proof = stoppable(py, stop, |flag| core.prove(plies, flag))?;
    Ok(proof.map(|proof| Proof { winner: proof.winner, plies: proof.plies }))
}

/// How much memory a tree may take.
const MEGABYTES: u64 = 512;

/// A draw is never held for as little as a loss.
const MOST_CONTEMPT: f32 = 0.9;

/// The methods by name.
const METHODS: [(&str, Method); 3] = [("auto", Method::Auto), ("tree", Method::Tree), ("alphabeta", Method::AlphaBeta)];

fn method_named(name: &str) -> PyResult<Method> {
    METHODS.iter().find(|(known, _)| *known == name).map(|&(_, method)| method).ok_or_else(|| {
        let known = METHODS.map(|(known, _)| known).join(", ");
        PyValueError::new_err(format!("unknown method {name:?}; known are {known}"))
    })
}

/// That a game cannot be searched so is a fault of the call.
fn unsuited(error: Unsuitable) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// The limits that a call names; a second if it names none.
#[allow(clippy::too_many_arguments)]
fn limits(
    method: &str,
    depth: Option<Given>,
    seconds: Option<f64>,
    nodes: Option<Given>,
    threads: Option<Given>,
    seed: Given,
    uniform: bool,
    choose: bool,
    sight: Given,
    memory: Given,
    contempt: f32,
) -> PyResult<Limits> {
    if !(0.0..=MOST_CONTEMPT).contains(&contempt) {
        return Err(PyValueError::new_err(format!("contempt must be from 0 to {MOST_CONTEMPT}, not {contempt}")));
    }
    if let Some(seconds) = seconds.filter(|seconds| seconds.is_nan() || *seconds < 0.0) {
        return Err(PyValueError::new_err(format!("seconds must be 0 or more, not {seconds}")));
    }
    let unlimited = seconds.is_none() && nodes.is_none() && depth.is_none();
    let seconds = if unlimited { Some(1.0) } else { seconds };
    let depth = depth.map(|depth| natural("depth", depth, 1)).transpose()?;
    let nodes = nodes.map(|nodes| natural("nodes", nodes, 0)).transpose()?;
    let (seed, sight) = (natural("seed", seed, 0)?, natural("sight", sight, 0)?);
    let memory = natural::<u32>("memory", memory, 0)?;
    let memory = u64::from(memory) << 20;
    let purpose = if choose { Purpose::Choose } else { Purpose::Analyse };
    Ok(Limits {
        method: method_named(method)?,
        depth,
        nodes,
        seconds,
        threads: threads_or_all(threads)?,
        seed,
        rollouts: if uniform { Rollouts::Uniform } else { Rollouts::Policy },
        purpose,
        lookahead: sight,
        contempt,
        memory,
    })
}

// As in Python: the parameters of a keyword call.
#[allow(clippy::too_many_arguments)]
#[pyfunction]
#[pyo3(
    signature = (
        state, seconds=None, nodes=None, threads=None, seed=Given::is(0), *,
        method="auto", depth=None, uniform=false, choose=false, sight=Given::is(5), memory=Given::is(MEGABYTES),
        contempt=0.0, stop=None
    ),
    text_signature = "(state, seconds=None, nodes=None, threads=None, seed=0, *, method='auto', depth=None, uniform=False, choose=False, sight=5, memory=512, contempt=0.0, stop=None)"
)]
pub(crate) fn search(
    py: Python<'_>,
    state: &State,
    seconds: Option<f64>,
    nodes: Option<Given>,
    threads: Option<Given>,
    seed: Given,
    method: &str,
    depth: Option<Given>,
    uniform: bool,
    choose: bool,
    sight: Given,
    memory: Given,
    contempt: f32,
    stop: Option<&Stop>,
) -> PyResult<Analysis> {
    let limits = limits(method, depth, seconds, nodes, threads, seed, uniform, choose, sight, memory, contempt)?;
    let core = &state.state;
    let result = stoppable(py, stop, |flag| core.search(&limits, flag))?.map_err(unsuited)?;
    Analysis::new(py, result)
}

#[pyclass(frozen, module = "tavola._core")]
pub(crate) struct Searcher {
    game: Game,
    searcher: Mutex<AnySearcher>,
}

impl Searcher {
    /// The search itself, if no other thread is at it.
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
    fn new(game: &Game) -> Self {
        Self { game: game.clone(), searcher: Mutex::new(game.0.searcher()) }
    }

    #[getter]
    fn game(&self) -> Game {
        self.game.clone()
    }

    // As in Python: the parameters of a keyword call.
    #[allow(clippy::too_many_arguments)]
    #[pyo3(
        signature = (
            state, seconds=None, nodes=None, threads=None, seed=Given::is(0), *,
            method="auto", depth=None, uniform=false, choose=false, sight=Given::is(5), memory=Given::is(MEGABYTES),
        contempt=0.0, stop=None
        ),
        text_signature = "($self, state, seconds=None, nodes=None, threads=None, seed=0, *, method='auto', depth=None, uniform=False, choose=False, sight=5, memory=512, contempt=0.0, stop=None)"
    )]
    fn search(
        &self,
        py: Python<'_>,
        state: &State,
        seconds: Option<f64>,
        nodes: Option<Given>,
        threads: Option<Given>,
        seed: Given,
        method: &str,
        depth: Option<Given>,
        uniform: bool,
        choose: bool,
        sight: Given,
        memory: Given,
        contempt: f32,
        stop: Option<&Stop>,
    ) -> PyResult<Analysis> {
        if !self.game.same(&state.game) {
            let (ours, theirs) = (self.game.text(py)?, state.game.text(py)?);
            return Err(PyValueError::new_err(format!("this searcher is for {ours}, and the state is of {theirs}")));
        }
        let limits = limits(method, depth, seconds, nodes, threads, seed, uniform, choose, sight, memory, contempt)?;
        let core = &state.state;
        let mut searcher = self.lock()?;
        let searcher = &mut *searcher;
        let result = stoppable(py, stop, |flag| searcher.search(core, &limits, flag))?.map_err(unsuited)?;
        Analysis::new(py, result.expect("the games are the same"))
    }

    fn forget(&self) -> PyResult<()> {
        self.lock()?.forget();
        Ok(())
    }
}
