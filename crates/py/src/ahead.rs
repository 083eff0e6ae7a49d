//! A thread that does what is soon asked for while the interpreter is busy elsewhere.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{LazyLock, OnceLock};
use std::time::Duration;
use std::{iter, thread};

type Work = Box<dyn FnOnce() + Send>;

/// How much waits at most: what is to be done much later is not worth remembering.
const WAITING: usize = 1024;

/// For how long work comes together. To be woken for each of many would hold up who has to wake it.
const GATHERING: Duration = Duration::from_millis(1);

static THREAD: LazyLock<Option<SyncSender<Work>>> = LazyLock::new(|| {
    let (sender, works) = sync_channel(WAITING);
    thread::Builder::new().name("tavola-ahead".to_owned()).spawn(move || run(works)).ok().map(|_| sender)
});

/// How much less of the processors than others it gets while there are not enough: what it has not done in time, those
/// do who need it, and they are not to wait for it.
#[cfg(target_os = "linux")]
const NICE: i32 = 10;

fn run(works: Receiver<Work>) {
    // SAFETY: it reads no memory. Elsewhere than in Linux it would be about the whole process.
    #[cfg(target_os = "linux")]
    unsafe {
        libc::setpriority(libc::PRIO_PROCESS, 0, NICE);
    }
    while let Ok(first) = works.recv() {
        for work in iter::once(first).chain(works.try_iter()) {
            // Whoever needs what is not done meets the same fault, and can say so.
            let _ = catch_unwind(AssertUnwindSafe(work));
        }
        thread::sleep(GATHERING);
    }
}

/// Has something done soon. It may as well be left undone, if there is no room: whoever needs it does it then.
pub(crate) fn begin(work: impl FnOnce() + Send + 'static) {
    if let Some(thread) = &*THREAD {
        let _ = thread.try_send(Box::new(work));
    }
}

/// What is known, or found out now: nobody waits until another thread has found it out, which may not even be running.
/// Found out twice, it is the same.
pub(crate) fn known<T>(cell: &OnceLock<T>, find: impl FnOnce() -> T) -> &T {
    cell.get().unwrap_or_else(|| {
        let found = find();
        cell.get_or_init(|| found)
    })
}
