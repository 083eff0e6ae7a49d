"""Runs tasks, such as games, in processes on this machine."""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import multiprocessing.resource_tracker
import queue
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any, Generic

from tavola._core import Stop, _processors
from tavola.errors import TavolaError
from tavola.executors.executor import Begin, C, Executor, G, Task, WorkerProcessDied

__all__ = ["ProcessExecutor"]

LEAVE_SECONDS = 5.0


class ProcessExecutor(Executor):
    """Runs tasks in processes on this machine.

    Args:
        processes: The number of processes, at least 1; `None` for one for each processor that this
            process may use.
    """

    def __init__(self, processes: int | None = None) -> None:
        self.processes = processes or _processors()

    def run(self, begin: Begin[G, C], tasks: Iterable[tuple[int, G]]) -> Generator[C]:
        """Run tasks in processes on this machine.

        Args:
            begin: The set-up of every process.
            tasks: The tasks with their numbers.

        Yields:
            The results, in the order in which the tasks end.

        Raises:
            WorkerProcessDied: If three processes exit during the same task, or none can start.
            TavolaError: If a task raises it.
        """
        left = (Task(number, task) for number, task in tasks)
        workers: dict[Connection, _Worker[G, C]] = {}

        def start(task: Task[G]) -> None:
            worker = _Worker(begin)
            workers[worker.connection] = worker
            worker.give(task)

        try:
            for task in itertools.islice(left, self.processes):
                start(task)
            while busy := [found for found, worker in workers.items() if worker.task is not None]:
                for connection in wait(busy):
                    assert isinstance(connection, Connection)
                    worker = workers[connection]
                    try:
                        result = worker.take()
                    except _Died as died:
                        del workers[connection]
                        worker.leave()
                        worker.join()
                        died.task.survive(died.status)
                        start(died.task)
                        continue
                    if result is None:
                        continue
                    if (following := next(left, None)) is not None:
                        worker.give(following)
                    yield result
        finally:
            for worker in workers.values():
                worker.leave()
            for worker in workers.values():
                worker.join()


class _Died(Exception):
    """A worker process has exited during a task."""

    def __init__(self, task: Task[Any], status: int | None) -> None:
        super().__init__(task, status)
        self.task = task
        self.status = status


class _Worker(Generic[G, C]):
    """A worker process and its connection."""

    def __init__(self, begin: Begin[G, C]) -> None:
        # A spawned process inherits no pipe of another, so each notices when the parent exits.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.task: Task[G] | None = None
        self._has_started = False
        self._process = context.Process(target=_work, args=(theirs, begin), daemon=True)
        with _interrupts_held():
            self._process.start()
        theirs.close()

    def give(self, task: Task[G]) -> None:
        """Send a task to the process."""
        self.task = task
        # `take` reports a process that has exited.
        with contextlib.suppress(BrokenPipeError):
            self.connection.send(task.task)

    def take(self) -> C | None:
        """Return the result of the task; `None` when the process has started.

        Raises:
            _Died: If the process has exited.
            WorkerProcessDied: If the process cannot start.
            TavolaError: If the task raised it.
        """
        assert self.task is not None
        try:
            result: Any = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self._process.join(LEAVE_SECONDS)
            status = self._process.exitcode
            if not self._has_started and status is not None and status > 0:
                raise WorkerProcessDied(None, status) from None
            raise _Died(self.task, status) from None
        if result is None:
            self._has_started = True
            return None
        self.task = None
        if isinstance(result, TavolaError):
            raise result
        found: C = result
        return found

    def leave(self) -> None:
        """Ask the process to end."""
        self.connection.close()

    def join(self) -> None:
        """Wait for the end of the process, and kill it after a while."""
        self._process.join(LEAVE_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Block SIGINT in this process, and in processes started in the block.

    Those unblock it once they leave Ctrl-C to the parent, which closes their pipes on Ctrl-C.
    """
    if sys.platform == "win32":
        yield
        return
    # The resource tracker starts with the first process, and unblocks SIGINT when it has started.
    multiprocessing.resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_signals_to_parent() -> None:
    """Handle termination signals by doing nothing: the parent ends this process.

    A terminal sends them to the whole group. They are not ignored, because child processes would
    inherit that.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: None)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _work(connection: Connection, begin: Begin[G, C]) -> None:
    """Run the tasks from the connection until it is closed."""
    _leave_signals_to_parent()
    stop = Stop()
    tasks: queue.SimpleQueue[G | None] = queue.SimpleQueue()

    def listen() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                tasks.put(connection.recv())
        stop.set()
        tasks.put(None)

    threading.Thread(target=listen, daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        connection.send(None)
        try:
            with begin(stop) as run:
                while (task := tasks.get()) is not None and not stop.is_set():
                    result = run(task)
                    if result is not None:
                        connection.send(result)
        except TavolaError as error:
            connection.send(error)
