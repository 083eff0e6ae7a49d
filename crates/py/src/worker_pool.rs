//! Threads that wait for work between two calls. Starting a thread takes longer than a step.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use tavola_core::Parallel;

/// Threads for the tasks of one vector environment. The calling thread works too.
pub(crate) struct WorkerPool {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
    /// The process of the threads. A fork has none of them, and perhaps a lock that one of them held.
    process: u32,
}

struct Shared {
    board: Mutex<Board>,
    /// Signals a new job, or the end.
    posted: Condvar,
    /// Signals that a worker has left the job.
    left: Condvar,
    /// The number of jobs so far. Workers that spin read it without the lock.
    jobs: AtomicU64,
    /// The first task that no thread has taken.
    next: AtomicUsize,
    panicked: AtomicBool,
}

struct Board {
    job: Option<Job>,
    /// The number of workers that are in the job.
    working: usize,
    closed: bool,
}

/// The work of one call of [`WorkerPool::run`], which does not return before all workers have left it.
#[derive(Clone, Copy)]
struct Job {
    work: &'static (dyn Fn(usize) + Sync),
    tasks: usize,
}

/// How often a worker or the caller looks for news before it sleeps: for about 20 microseconds.
const SPINS: u32 = 2_000;

impl WorkerPool {
    /// Starts threads: one less than `threads`, because the calling thread works too.
    pub(crate) fn new(threads: usize) -> Self {
        let shared = Arc::new(Shared {
            board: Mutex::new(Board { job: None, working: 0, closed: false }),
            posted: Condvar::new(),
            left: Condvar::new(),
            jobs: AtomicU64::new(0),
            next: AtomicUsize::new(0),
            panicked: AtomicBool::new(false),
        });
        let start = |number| {
            let shared = Arc::clone(&shared);
            thread::Builder::new().name(format!("tavola-vector-{number}")).spawn(move || shared.serve())
        };
        // With fewer threads than wanted the results are the same.
        let workers = (1..threads).map_while(|number| start(number).ok()).collect();
        Self { shared, workers, process: process::id() }
    }

    fn is_in_a_fork(&self) -> bool {
        self.process != process::id()
    }
}

impl Parallel for WorkerPool {
    fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    fn run(&self, tasks: usize, work: &(dyn Fn(usize) + Sync)) {
        if self.workers.is_empty() || tasks < 2 || self.is_in_a_fork() {
            (0..tasks).for_each(work);
            return;
        }
        // SAFETY: only the lifetime changes, and `withdraw` below waits until no worker uses the work any more.
        let work = unsafe { std::mem::transmute::<&(dyn Fn(usize) + Sync), &'static (dyn Fn(usize) + Sync)>(work) };
        let job = Job { work, tasks };
        self.shared.post(job);
        let done = catch_unwind(AssertUnwindSafe(|| self.shared.work_off(job)));
        self.shared.withdraw();
        if let Err(panic) = done {
            resume_unwind(panic);
        }
        assert!(!self.shared.panicked.load(Ordering::Relaxed), "a worker has panicked");
    }
}

impl Drop for WorkerPool {
    fn drop(&mut self) {
        if self.is_in_a_fork() {
            self.workers.drain(..).for_each(std::mem::forget);
            return;
        }
        self.shared.lock().closed = true;
        self.shared.jobs.fetch_add(1, Ordering::Release);
        self.shared.posted.notify_all();
        for worker in self.workers.drain(..) {
            let _ = worker.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Board> {
        self.board.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does tasks until none is left.
    fn work_off(&self, job: Job) {
        loop {
            let task = self.next.fetch_add(1, Ordering::Relaxed);
            if task >= job.tasks {
                return;
            }
            (job.work)(task);
        }
    }

    fn post(&self, job: Job) {
        let mut board = self.lock();
        self.next.store(0, Ordering::Relaxed);
        board.job = Some(job);
        drop(board);
        self.jobs.fetch_add(1, Ordering::Release);
        self.posted.notify_all();
    }

    /// Closes the job to further workers and waits for those in it.
    fn withdraw(&self) {
        let mut board = self.lock();
        board.job = None;
        for _ in 0..SPINS {
            if board.working == 0 {
                return;
            }
            drop(board);
            std::hint::spin_loop();
            board = self.lock();
        }
        while board.working > 0 {
            board = self.left.wait(board).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Works on one job after the other, until the pool closes.
    fn serve(&self) {
        let mut seen = 0;
        loop {
            for _ in 0..SPINS {
                if self.jobs.load(Ordering::Acquire) != seen {
                    break;
                }
                std::hint::spin_loop();
            }
            let mut board = self.lock();
            while self.jobs.load(Ordering::Acquire) == seen {
                board = self.posted.wait(board).unwrap_or_else(PoisonError::into_inner);
            }
            if board.closed {
                return;
            }
            seen = self.jobs.load(Ordering::Acquire);
            // The other threads may have done all of it.
            let Some(job) = board.job else { continue };
            board.working += 1;
            drop(board);
            if catch_unwind(AssertUnwindSafe(|| self.work_off(job))).is_err() {
                self.panicked.store(true, Ordering::Relaxed);
            }
            self.lock().working -= 1;
            self.left.notify_one();
        }
    }
}
