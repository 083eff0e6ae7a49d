"""Runs tasks, such as games, in several processes."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.resource_tracker
import queue
import signal
import sys
import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeVar

from tavola._core import Stop
from tavola.errors import Message, TavolaError

__all__ = ["Begin", "WorkerProcessDied", "run_parallel"]

LEAVE_SECONDS = 5.0

G = TypeVar("G")
"""The task."""

C = TypeVar("C")
"""The result."""

Begin = Callable[[Stop], AbstractContextManager[Callable[[G], C | None]]]
"""Sets up a process and cleans up after it. Yields the function that runs a task; this returns None
if `Stop` was set."""


class WorkerProcessDied(TavolaError):
    """A worker process exited while it ran a task.

    Attributes:
        number: The number of the task.
        status: The exit status, negative for a signal.
    """

    def __init__(self, number: int, status: int | None) -> None:
        super().__init__(number, status)
        self.number = number
        self.status = status

    def __str__(self) -> str:
        return Message(
            "the process of game {number} exited with status {status}",
            number=self.number,
            status=self.status,
        )


def run_parallel(
    begin: Begin[G, C], games: Iterable[tuple[int, G]], processes: int
) -> Generator[C]:
    """Run tasks in several processes.

    Closing the generator stops the running tasks and ends the processes.

    Args:
        begin: The set-up of every process. It is pickled, as the tasks are.
        games: The tasks with their numbers.
        processes: The number of processes.

    Yields:
        The results, in the order in which the tasks end.

    Raises:
        WorkerProcessDied: If a process exits.
        TavolaError: If a task raises it.
    """
    left = iter(games)
    workers: dict[Connection, _Worker[G, C]] = {}
    try:
        for game in left:
            worker = _Worker(begin)
            workers[worker.connection] = worker
            worker.give(*game)
            if len(workers) == processes:
                break
        while any(worker.number is not None for worker in workers.values()):
            busy = [found for found, worker in workers.items() if worker.number is not None]
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                worker = workers[connection]
                came = worker.take()
                if (following := next(left, None)) is not None:
                    worker.give(*following)
                yield came
    finally:
        for worker in workers.values():
            worker.leave()
        for worker in workers.values():
            worker.join()


class _Worker(Generic[G, C]):
    """A worker process and its connection."""

    def __init__(self, begin: Begin[G, C]) -> None:
        # A spawned process inherits no pipe of another, so each notices when the parent exits.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.number: int | None = None
        self._process = context.Process(target=_work, args=(theirs, begin), daemon=True)
        with _interrupts_held():
            self._process.start()
        theirs.close()

    def give(self, number: int, game: G) -> None:
        """Send a task to the process."""
        self.number = number
        # `take` reports a process that has exited.
        with contextlib.suppress(BrokenPipeError):
            self.connection.send(game)

    def take(self) -> C:
        """Return the result of the task.

        Raises:
            WorkerProcessDied: If the process has exited.
            TavolaError: If the task raised it.
        """
        assert self.number is not None
        try:
            came: Any = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self._process.join(LEAVE_SECONDS)
            raise WorkerProcessDied(self.number, self._process.exitcode) from None
        self.number = None
        if isinstance(came, TavolaError):
            raise came
        found: C = came
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
    games: queue.SimpleQueue[G | None] = queue.SimpleQueue()

    def listen() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                games.put(connection.recv())
        stop.set()
        games.put(None)

    threading.Thread(target=listen, daemon=True).start()
    with contextlib.suppress(BrokenPipeError):
        try:
            with begin(stop) as play:
                while (game := games.get()) is not None and not stop.is_set():
                    came = play(game)
                    if came is not None:
                        connection.send(came)
        except TavolaError as error:
            connection.send(error)
