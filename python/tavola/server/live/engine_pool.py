"""A thread pool for engine searches, which can be paused and stopped."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import tavola
from tavola.engines.ugi_client import UgiEngine
from tavola.server.errors import RequestError
from tavola.server.live.agents import Agents
from tavola.server.matches.log import ENGINE_MEMORY_MB
from tavola.server.ops.fair_queue import NO_CLIENT, FairQueue
from tavola.server.ops.metrics import ENGINE_WAIT
from tavola.server.ops.rate_limits import MAX_WAITING_ENGINES

TIME_SLICE = 1.25
"""Seconds of a time slice: enough for engines that search for a second."""

CACHED_MEMORY_MB = 512
"""Memory of the search trees of idle and paused engines together."""

CACHED_ENGINES = CACHED_MEMORY_MB // ENGINE_MEMORY_MB
"""Number of idle or paused engines that keep their search tree: paused ones first, then the most
recently used.
"""


class EnginePool:
    """A pool that runs a few searches at a time; further ones wait.

    Clients that wait for a search take turns. Engines that play each other search while no client
    waits for another search. A search that outlasts its time slice is paused when others wait. It
    stays in its thread, and continues in its next slice. Seats whose time is up need short
    searches, and have one extra thread.

    Args:
        threads: How many engines think at the same time.
        agents: Creates the engines. Default: those of the games, without agents of the host.
    """

    def __init__(self, threads: int, agents: Agents | None = None) -> None:
        self._pool = ThreadPoolExecutor(
            threads + 1 + CACHED_ENGINES, thread_name_prefix="tavola-engine"
        )
        self._normal = FairQueue[SearchTask]()
        self._background = FairQueue[SearchTask]()
        self._urgent = FairQueue[SearchTask]()
        # Each with the end of its turn, until that has come.
        self._running: dict[SearchTask, asyncio.TimerHandle | None] = {}
        self._paused: set[SearchTask] = set()
        self._cached: OrderedDict[tuple[str, str], tavola.Engine] = OrderedDict()
        self.agents = agents or Agents({})
        self._closed = False
        self.threads = threads

    @property
    def running(self) -> int:
        """Number of running searches."""
        return len(self._running)

    @property
    def waiting(self) -> int:
        """Number of waiting searches, paused ones included."""
        return len(self._normal) + len(self._background) + len(self._urgent)

    def check_room(self, client: str) -> None:
        """Check that one more search may wait for a client.

        Raises:
            RequestError: `engines-busy`.
        """
        if client != NO_CLIENT and self._normal.waiting_for(client) >= MAX_WAITING_ENGINES:
            raise RequestError("engines-busy", most=MAX_WAITING_ENGINES)

    async def choose_action(self, task: SearchTask, clients: Collection[str] = ()) -> str | None:
        """Return the action that the engine chooses, or `None` if it was stopped before.

        Args:
            task: What is to be thought.
            clients: The addresses of those who wait for it.
        """
        if self._closed or task.stopped:
            return None
        choice: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        task.choice = choice
        task.since = time.monotonic()
        self._queue_of(task).add(task, clients)
        self._schedule()
        try:
            return await choice
        finally:
            self.stop(task)

    def add_clients(self, task: SearchTask, clients: Collection[str]) -> None:
        """Add clients that wait for a search, unless it is over."""
        if task in self._running or task in self._queue_of(task):
            self._queue_of(task).add(task, clients)

    def stop(self, task: SearchTask) -> None:
        """Stop a search, at once or before it starts."""
        task.stop()
        if self._dequeue(task):
            task.set_result(None)

    def forget(self, match: str) -> None:
        """Close the idle engines of a match."""
        for key in [key for key in self._cached if key[0] == match]:
            self._close_engine(self._cached.pop(key))

    async def close(self) -> None:
        """Stop every search, wait for the threads and close the engines."""
        self._closed = True
        for task in (*self._normal, *self._background, *self._urgent, *self._running):
            self.stop(task)
        await asyncio.to_thread(self._pool.shutdown)
        for engine in self._cached.values():
            await asyncio.to_thread(engine.close)
        self._cached.clear()

    def _queue_of(self, task: SearchTask) -> FairQueue[SearchTask]:
        if task.is_urgent:
            return self._urgent
        return self._background if task.is_background else self._normal

    def _dequeue(self, task: SearchTask) -> bool:
        """Remove a search from its queue; return whether it waited."""
        self._paused.discard(task)
        return self._queue_of(task).remove(task)

    def _next(self) -> SearchTask | None:
        """Return the next search if a thread is free or another search yields."""
        late = sum(task.is_urgent for task in self._running)
        if late == 0 and self._urgent:
            return self._urgent.pop()
        if len(self._running) - late < self.threads or self._preempt():
            return self._normal.pop() or self._background.pop()
        return None

    def _preempt(self) -> bool:
        """Pause a search whose slice is over, if others wait; return whether one was paused."""
        if len(self._paused) == CACHED_ENGINES:
            return False
        # Background searches first, then the one that has run longest.
        for task in sorted(self._running, key=lambda task: not task.is_background):
            if self._running[task] is None and self._should_yield(task):
                del self._running[task]
                task.pause()
                self._paused.add(task)
                self._evict()
                self._queue_of(task).put_back(task)
                return True
        return False

    def _should_yield(self, task: SearchTask) -> bool:
        """Return whether a search should yield to others."""
        if task.is_urgent:
            return False
        return (task.is_background and len(self._normal) > 0) or self._queue_of(task).should_yield(
            task
        )

    def _schedule(self) -> None:
        """Fill the threads with waiting searches, and preempt those whose slice is over."""
        while (task := self._next()) is not None:
            ends = asyncio.get_running_loop().call_later(TIME_SLICE, self._on_slice_end, task)
            self._running[task] = ends
            if task in self._paused:
                self._paused.remove(task)
                task.resume()
            else:
                self._start(task)

    def _start(self, task: SearchTask) -> None:
        ENGINE_WAIT.observe(time.monotonic() - task.since)
        # A running engine is not in the cache. A search that was stopped
        # and has not ended yet does not share it with the next.
        kept = self._cached.pop((task.match, task.engine), None)
        work = asyncio.get_running_loop().run_in_executor(
            self._pool, task.run, kept, self.agents.create
        )
        work.add_done_callback(partial(self._on_done, task))
        task.on_start()

    def _on_slice_end(self, task: SearchTask) -> None:
        self._running[task] = None
        self._schedule()

    def _on_done(
        self, task: SearchTask, work: asyncio.Future[tuple[tavola.Engine, str | None]]
    ) -> None:
        if task in self._running:
            if (ends := self._running.pop(task)) is not None:
                ends.cancel()
            self._queue_of(task).finish(task)
        else:
            # It was over just when it was to rest, or it was stopped while it did.
            self._dequeue(task)
        if (error := work.exception()) is not None:
            task.set_exception(error)
        else:
            engine, token = work.result()
            self._cached[task.match, task.engine] = engine
            self._evict()
            task.set_result(token)
        self._schedule()

    def _evict(self) -> None:
        """Forget the least recently used idle engines."""
        while len(self._cached) + len(self._paused) > CACHED_ENGINES:
            _, engine = self._cached.popitem(last=False)
            self._close_engine(engine)

    def _close_engine(self, engine: tavola.Engine) -> None:
        """Close an engine in a thread: an external one ends its process, which takes a while."""
        if isinstance(engine, UgiEngine):
            asyncio.get_running_loop().run_in_executor(None, engine.close)


class SearchTask:
    """An engine's search for one action.

    Args:
        match: The id of the match.
        engine: The engine's name, as `Agents.create` reads it.
        state: The position.
        is_background: Whether no person waits for the action.
        is_urgent: Whether it is a short search for a seat whose time is up.
        on_start: Called when a thread starts the search.

    Attributes:
        since: The time at which it began to wait for a thread.
    """

    def __init__(
        self,
        match: str,
        engine: str,
        state: tavola.State,
        *,
        is_background: bool = False,
        is_urgent: bool = False,
        on_start: Callable[[], None] = lambda: None,
    ) -> None:
        self.match = match
        self.engine = engine
        self.state = state
        self.is_background = is_background
        self.is_urgent = is_urgent
        self.on_start = on_start
        self.since = time.monotonic()
        self.choice: asyncio.Future[str | None] | None = None
        self._stop = tavola.Stop()

    @property
    def stopped(self) -> bool:
        """Whether it has been ended."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Stop the search, or prevent its start."""
        self._stop.set()

    def pause(self) -> None:
        """Pause the search and its time."""
        self._stop.pause()

    def resume(self) -> None:
        """Continue after a pause."""
        self._stop.resume()

    def run(
        self,
        engine: tavola.Engine | None,
        create: Callable[[str, tavola.Game], tavola.Engine] = tavola.engine,
    ) -> tuple[tavola.Engine, str | None]:
        """Search in the calling thread, with a cached engine or a new one."""
        if engine is None:
            engine = create(self.engine, self.state.game)
            engine.new_game(secrets.randbits(63), stop=self._stop)
        if self.stopped:
            return engine, None
        choice = engine.choose(self.state, stop=self._stop)
        return engine, None if self.stopped else choice.token

    def set_result(self, token: str | None) -> None:
        """Report the chosen action to the waiting task."""
        if self.choice is not None and not self.choice.done():
            self.choice.set_result(token)

    def set_exception(self, error: BaseException) -> None:
        """Report an error to the waiting task."""
        if not isinstance(error, Exception):
            # A panic of the core is not an Exception, and would escape the error handlers.
            panic, error = error, RuntimeError("the core failed")
            error.__cause__ = panic
        if self.choice is not None and not self.choice.done():
            self.choice.set_exception(error)
