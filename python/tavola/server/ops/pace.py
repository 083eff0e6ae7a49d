"""Paces the requests of each client, so that those of one leave room for others in between.

Requests differ a thousandfold in what they cost the event loop, so a client has a share of its
time, not a number of requests. A client that has used more than that waits.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine, Generator
from typing import Any, TypeVar

from tavola.server.ops.rate_limits import LOOP_TIME, RateLimits

T = TypeVar("T")

ARRIVAL_SECONDS = 0.0002
"""The cost of a request before the server knows whose it is: reading and parsing it."""


class Pace:
    """Lets the requests of a client start one after another, as long as its share lasts.

    At most one of each client starts in one round of the event loop. A round handles all that has
    arrived, so the actions of others come in between.

    Args:
        limits: The limits on the use of each client.
    """

    def __init__(self, limits: RateLimits) -> None:
        self._limits = limits
        # The clients that started a request in this round, or wait, with what waits.
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}

    async def wait(self, client: str) -> None:
        """Wait until a request of a client may start."""
        loop = asyncio.get_running_loop()
        debt = self._limits.bucket(LOOP_TIME, client).debt
        if client not in self._waiting:
            self._waiting[client] = deque()
            loop.call_later(debt, self._start, client)
            if not debt:
                return
        turn = loop.create_future()
        self._waiting[client].append(turn)
        await turn

    async def run(self, client: str, work: Coroutine[Any, Any, T]) -> T:
        """Do work of a client, and charge the time that the event loop spends on it."""
        bucket = self._limits.bucket(LOOP_TIME, client)
        bucket.spend(ARRIVAL_SECONDS)
        return await _Timed(work, bucket.spend)

    def _start(self, client: str) -> None:
        """Start the next request of a client that has time left."""
        waiting = self._waiting[client]
        while waiting and waiting[0].done():  # Its client has gone.
            waiting.popleft()
        if not waiting:
            del self._waiting[client]
            return
        debt = self._limits.bucket(LOOP_TIME, client).debt
        if not debt:
            waiting.popleft().set_result(None)
        asyncio.get_running_loop().call_later(debt, self._start, client)


class _Timed(Awaitable[T]):
    """Work that reports the processor time that each of its steps took.

    Args:
        work: The work.
        spend: Called with the seconds of each step, without waits for other threads.
    """

    def __init__(self, work: Coroutine[Any, Any, T], spend: Callable[[float], None]) -> None:
        self._work = work
        self._spend = spend

    def __await__(self) -> Generator[Any, Any, T]:
        error: BaseException | None = None
        while True:
            began = time.thread_time()
            try:
                waits = self._work.send(None) if error is None else self._work.throw(error)
            except StopIteration as done:
                result: T = done.value
                return result
            finally:
                self._spend(time.thread_time() - began)
            try:
                yield waits
                error = None
            except BaseException as raised:  # what ends the work is raised in it
                error = raised
