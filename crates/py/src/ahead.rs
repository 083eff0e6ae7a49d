//! Work that will be wanted in a moment, done meanwhile by a thread that needs no interpreter's lock.

use std::sync::OnceLock;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

type Job = Box<dyn FnOnce() + Send>;

/// How much may wait. What is more is left to whoever wants it.
const MOST: usize = 1024;

/// Has something done if there is room. Whoever wants it does it if it is not done by then.
pub(crate) fn ahead(job: impl FnOnce() + Send + 'static) {
    static JOBS: OnceLock<SyncSender<Job>> = OnceLock::new();
    let jobs = JOBS.get_or_init(|| {
        let (jobs, waiting) = sync_channel::<Job>(MOST);
        thread::spawn(move || waiting.into_iter().for_each(|job| job()));
        jobs
    });
    let _ = jobs.try_send(Box::new(job));
}
