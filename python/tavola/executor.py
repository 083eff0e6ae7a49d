"""Processes that play games, several at a time."""

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
"""Which game is to be played."""

C = TypeVar("C")
"""What came of it."""

Begin = Callable[[Stop], AbstractContextManager[Callable[[G], C | None]]]
"""What a process does at its beginning and its end, and in between what plays a game: to its end,
or to nothing if `Stop` is set meanwhile."""


class WorkerProcessDied(TavolaError):
    """A process that plays games has died.

    Attributes:
        number: The game that it was playing.
        status: Its exit status, negative for a signal.
    """

    def __init__(self, number: int, status: int | None) -> None:
        super().__init__(number, status)
        self.number = number
        self.status = status

    def __str__(self) -> str:
        return Message(
            "the process playing game {number} has ended with status {status}",
            number=self.number,
            status=self.status,
        )


def run_parallel(
    begin: Begin[G, C], games: Iterable[tuple[int, G]], processes: int
) -> Generator[C]:
    """Plays games in several processes, and gives what came of them as they end.

    Closing the iterator, or an error in its user, ends the processes and what they have begun.

    Args:
        begin: What each process begins with; it is sent to them, as the games are.
        games: The games to play, by their numbers.
        processes: How many at the same time.

    Raises:
        WorkerProcessDied: If a process dies.
        TavolaError: What a process could not do.
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
    """A process and the way to talk with it."""

    def __init__(self, begin: Begin[G, C]) -> None:
        # A fresh process: it holds no end of another's pipe, so that each hears when we are gone.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.number: int | None = None
        self._process = context.Process(target=_work, args=(theirs, begin), daemon=True)
        with _interrupts_held():
            self._process.start()
        theirs.close()

    def give(self, number: int, game: G) -> None:
        """Gives it a game to play."""
        self.number = number
        # A process that has died is noticed when its result is taken.
        with contextlib.suppress(BrokenPipeError):
            self.connection.send(game)

    def take(self) -> C:
        """What came of the game that it has played.

        Raises:
            WorkerProcessDied: If it has died instead.
            TavolaError: If it could not play it.
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
        """Asks it to end."""
        self.connection.close()

    def join(self) -> None:
        """Waits until it has ended; kills it if it does not."""
        self._process.join(LEAVE_SECONDS)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        self._process.close()


@contextlib.contextmanager
def _interrupts_held() -> Iterator[None]:
    """Holds Ctrl-C back, here for the moment, and in the processes that are started meanwhile.

    They let it through when they leave it to the parent, which then closes their pipes.
    """
    if sys.platform == "win32":
        yield
        return
    # It starts with the first process, and lets Ctrl-C through when it has started.
    multiprocessing.resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _leave_signals_to_parent() -> None:
    """What ends the parent, as a terminal or `timeout` tell the whole group, is for it alone.

    Heard and not ignored: the programs that are started here would go on ignoring it.
    """
    for name in ("SIGINT", "SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), lambda *_: None)
    if sys.platform != "win32":
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})


def _work(connection: Connection, begin: Begin[G, C]) -> None:
    """Plays the games that come, until no more can come."""
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
