"""Turns for work that is not an action in a match: a few pieces at a time, clients take turns.

Costs differ a thousandfold, so work is charged by the time that it takes, not by the request.
"""

from __future__ import annotations

import asyncio
import os
import sys
import threading
import time
from collections.abc import AsyncGenerator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from typing import TypeVar

import tavola
from tavola.server.errors import RequestError
from tavola.server.ops import rate_limits
from tavola.server.ops.fair_queue import NO_CLIENT, FairQueue
from tavola.server.ops.rate_limits import RateLimits

T = TypeVar("T")

NICENESS = 10


class Turn:
    """A piece of work that waits or runs.

    Attributes:
        client: The address that it is for.
        started: Set when it may run.
        since: The time from which it has not been charged yet.
    """

    def __init__(self, client: str) -> None:
        self.client = client
        self.started: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.since: float | None = None


class WorkQueue:
    """A few pieces of work at a time; further ones wait, and clients take turns.

    Args:
        slots: How many run at the same time.
        limits: The limits on the use of each client.
    """

    def __init__(self, slots: int, limits: RateLimits) -> None:
        self.limits = limits
        self._queue = FairQueue[Turn]()
        self._free = slots
        self._pool = ThreadPoolExecutor(slots, "tavola-work", _lower_priority)

    @property
    def waiting(self) -> int:
        """Number of waiting pieces of work."""
        return len(self._queue)

    @asynccontextmanager
    async def turn(self, client: str, *, always: bool = False) -> AsyncGenerator[Turn]:
        """Wait for a turn, which lasts and is charged until the end of the block.

        Args:
            client: The address that it is for.
            always: Whether also a client without time left has its turn.

        Raises:
            RequestError: `analysis-limit`, `busy`.
        """
        turn = await self.take(client, always=always)
        try:
            yield turn
        finally:
            self.end(turn)

    async def run(
        self,
        client: str,
        work: Callable[[], T],
        *,
        seconds: float | None = None,
        stop: tavola.Stop | None = None,
    ) -> T:
        """Do work in a thread, charged by the time that it takes.

        Args:
            client: The address that it is for.
            work: Does it.
            seconds: The longest time that it may take.
            stop: Stops it then.

        Raises:
            RequestError: `analysis-limit`, `busy`.
        """
        turn = await self.take(client)
        loop = asyncio.get_running_loop()
        running = loop.run_in_executor(self._pool, work)
        bell = None
        if seconds is not None and stop is not None:
            bell = loop.call_later(seconds, stop.set)

        def end(done: asyncio.Future[T]) -> None:
            if bell is not None:
                bell.cancel()
            self.end(turn)
            if not done.cancelled():
                # The caller may have left.
                done.exception()

        # The thread continues if the caller leaves, and so does its turn.
        running.add_done_callback(end)
        return await asyncio.shield(running)

    async def in_turn(self, work: Callable[[], T]) -> T:
        """Do a part of the work of a turn in a thread of low priority."""
        return await asyncio.get_running_loop().run_in_executor(self._pool, work)

    def close(self) -> None:
        """Wait for the threads."""
        self._pool.shutdown()

    async def take(self, client: str, *, always: bool = False) -> Turn:
        """Wait for a turn, as `turn` does; `end` follows."""
        if client != NO_CLIENT:
            if not always:
                self.limits.check_work(client)
            if self._queue.waiting_for(client) >= rate_limits.MAX_WAITING_WORK:
                raise RequestError("busy")
        turn = Turn(client)
        self._queue.add(turn, (client,))
        self._start()
        try:
            await turn.started
        except BaseException:
            self.end(turn)
            raise
        return turn

    def end(self, turn: Turn) -> None:
        """End a turn, or the wait for one."""
        self._charge(turn)
        if not self._queue.remove(turn):
            self._queue.finish(turn)
            self._free += 1
            self._start()

    def check(self, turn: Turn) -> bool:
        """Charge the time so far; return whether the turn should end, because others wait.

        Raises:
            RequestError: `analysis-limit`.
        """
        self._charge(turn)
        if turn.client != NO_CLIENT:
            self.limits.check_work(turn.client)
        return self._queue.should_yield(turn)

    def _charge(self, turn: Turn) -> None:
        if turn.since is not None and turn.client != NO_CLIENT:
            now = time.monotonic()
            self.limits.spend_work(turn.client, now - turn.since)
            turn.since = now

    def _start(self) -> None:
        while self._free and (turn := self._queue.pop()) is not None:
            self._free -= 1
            turn.since = time.monotonic()
            if not turn.started.done():
                turn.started.set_result(None)


def _lower_priority() -> None:
    """Let this thread use the processors that no other thread of the server needs."""
    if sys.platform == "linux":  # Elsewhere a process has one priority.
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICENESS)
