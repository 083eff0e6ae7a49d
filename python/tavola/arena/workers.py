"""Processes that play the games of a plan, several at a time."""

from __future__ import annotations

import contextlib
import multiprocessing
import multiprocessing.resource_tracker
import queue
import signal
import sys
import threading
from collections.abc import Generator, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Any

from tavola._core import Stop
from tavola.arena.game import Played, play
from tavola.arena.plan import Pairing, Plan
from tavola.engines import engine
from tavola.errors import Sentence, TavolaError

__all__ = ["WorkerDied", "results"]

LEAVE_SECONDS = 5.0


class WorkerDied(TavolaError):
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
        return Sentence(
            "the process playing game {number} has ended with status {status}",
            number=self.number,
            status=self.status,
        )


def results(plan: Plan, pairings: Iterable[Pairing], processes: int) -> Generator[Played]:
    """Plays games in several processes, and gives them as they end.

    Closing the iterator, or an error in its user, ends the processes and their engines.

    Args:
        plan: The plan.
        pairings: The games of it to play.
        processes: How many at the same time.

    Raises:
        WorkerDied: If a process dies.
    """
    left = iter(pairings)
    workers: dict[Connection, _Worker] = {}
    try:
        for pairing in left:
            worker = _Worker(plan)
            workers[worker.connection] = worker
            worker.give(pairing)
            if len(workers) == processes:
                break
        while any(worker.number is not None for worker in workers.values()):
            busy = [found for found, worker in workers.items() if worker.number is not None]
            for connection in wait(busy):
                assert isinstance(connection, Connection)
                worker = workers[connection]
                played = worker.take()
                if (following := next(left, None)) is not None:
                    worker.give(following)
                yield played
    finally:
        for worker in workers.values():
            worker.leave()
        for worker in workers.values():
            worker.join()


class _Worker:
    """A process and the way to talk with it."""

    def __init__(self, plan: Plan) -> None:
        # A fresh process: it holds no end of another's pipe, so that each hears when we are gone.
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.number: int | None = None
        self._process = context.Process(target=_work, args=(theirs, plan), daemon=True)
        with _interrupts_held():
            self._process.start()
        theirs.close()

    def give(self, pairing: Pairing) -> None:
        """Gives it a game to play."""
        self.number = pairing.number
        # A process that has died is noticed when its result is taken.
        with contextlib.suppress(BrokenPipeError):
            self.connection.send(pairing)

    def take(self) -> Played:
        """The game that it has played.

        Raises:
            WorkerDied: If it has died instead.
        """
        assert self.number is not None
        try:
            played: Any = self.connection.recv()
        except (EOFError, ConnectionResetError):
            self._process.join(LEAVE_SECONDS)
            raise WorkerDied(self.number, self._process.exitcode) from None
        self.number = None
        assert isinstance(played, Played)
        return played

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
    """Holds Ctrl-C back, here for the moment, and in the processes that are started for good.

    It is for the parent alone, which then closes their pipes.
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


def _work(connection: Connection, plan: Plan) -> None:
    """Plays the games that come, until no more can come."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    stop = Stop()
    pairings: queue.SimpleQueue[Pairing | None] = queue.SimpleQueue()

    def listen() -> None:
        with contextlib.suppress(EOFError, OSError):
            while True:
                pairings.put(connection.recv())
        stop.set()
        pairings.put(None)

    threading.Thread(target=listen, daemon=True).start()
    game = plan.load()
    with contextlib.ExitStack() as stack:
        engines = [stack.enter_context(engine(text, game)) for text in plan.engines]
        while (pairing := pairings.get()) is not None and not stop.is_set():
            played = play(plan, pairing, engines, stop)
            if played is not None:
                with contextlib.suppress(BrokenPipeError):
                    connection.send(played)
