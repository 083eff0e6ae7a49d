"""Engine seats: they think in the compiled core, in threads of their own, and can be stopped."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import tavola
from tavola.server.operation.limits import WAITING_THOUGHTS
from tavola.server.operation.meters import WAITED
from tavola.server.tables.queue import NOBODY, Queue
from tavola.server.wire.errors import Refused

KEPT = 16
"""How many engines keep what they have found out in their matches: those that thought last."""


class Engines:
    """A few threads in which engines think, one thought to a thread; more thoughts wait.

    Whoever waits for thoughts takes turns with the others who do; engines among themselves think
    while nobody waits for another. For seats whose time is up, which need next to none, there is a
    thread more.

    Args:
        threads: How many engines think at the same time.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads + 1, thread_name_prefix="tavola-engine")
        self._awaited = Queue[Thought]()
        self._alone = Queue[Thought]()
        self._late = Queue[Thought]()
        self._thinking: set[Thought] = set()
        self._kept: OrderedDict[tuple[str, str], tavola.Engine] = OrderedDict()
        self._closed = False
        self.threads = threads

    @property
    def thinking(self) -> int:
        """How many thoughts are being thought."""
        return len(self._thinking)

    @property
    def waiting(self) -> int:
        """How many thoughts wait for a thread."""
        return len(self._awaited) + len(self._alone) + len(self._late)

    def check_room(self, client: str) -> None:
        """Looks whether one more thought may wait for somebody.

        Raises:
            Refused: `engines-busy`.
        """
        if client != NOBODY and self._awaited.waiting(client) >= WAITING_THOUGHTS:
            raise Refused("engines-busy", most=WAITING_THOUGHTS)

    async def think(self, thought: Thought, clients: Collection[str] = ()) -> str | None:
        """The action that the engine chooses, or `None` if it was stopped before.

        Args:
            thought: What is to be thought.
            clients: The addresses of those who wait for it.
        """
        if self._closed or thought.stopped:
            return None
        choice: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        thought.choice = choice
        thought.since = time.monotonic()
        self._queue(thought).join(thought, clients)
        self._go_on()
        try:
            return await choice
        finally:
            self.stop(thought)

    def join(self, thought: Thought, clients: Collection[str]) -> None:
        """More people wait for a thought, if it still waits."""
        if self.waits(thought):
            self._queue(thought).join(thought, clients)

    def waits(self, thought: Thought) -> bool:
        """Whether a thought waits for a thread."""
        return thought in self._queue(thought)

    def stop(self, thought: Thought) -> None:
        """Ends a thought, at once or before it begins."""
        thought.stop()
        if self._queue(thought).leave(thought):
            thought.answer(None)

    async def close(self) -> None:
        """Stops every thought and waits for the threads."""
        self._closed = True
        for thought in (*self._awaited, *self._alone, *self._late, *self._thinking):
            self.stop(thought)
        await asyncio.to_thread(self._pool.shutdown)

    def _queue(self, thought: Thought) -> Queue[Thought]:
        if thought.late:
            return self._late
        return self._alone if thought.alone else self._awaited

    def _next(self) -> tuple[Thought, Collection[str]] | None:
        """What is thought next, and for whom, if there is a thread for it."""
        late = sum(thought.late for thought in self._thinking)
        if late == 0 and self._late:
            return self._late.next()
        if len(self._thinking) - late < self.threads:
            return self._awaited.next() or self._alone.next()
        return None

    def _go_on(self) -> None:
        """Every thread has a thought, if enough of them wait."""
        while (found := self._next()) is not None:
            thought, clients = found
            self._thinking.add(thought)
            WAITED.observe(time.monotonic() - thought.since)
            # An engine that is at work is not among those that are kept: a thought that was stopped
            # and has not ended yet does not share it with the next.
            kept = self._kept.pop((thought.match, thought.engine), None)
            work = asyncio.get_running_loop().run_in_executor(self._pool, thought.run, kept)
            work.add_done_callback(partial(self._ended, thought, clients))
            thought.begun()

    def _ended(
        self,
        thought: Thought,
        clients: Collection[str],
        work: asyncio.Future[tuple[tavola.Engine, str | None]],
    ) -> None:
        self._thinking.discard(thought)
        self._queue(thought).served(clients)
        if (error := work.exception()) is not None:
            thought.fail(error)
        else:
            engine, token = work.result()
            self._kept[thought.match, thought.engine] = engine
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)
            thought.answer(token)
        self._go_on()


class Thought:
    """What an engine thinks about one action.

    Args:
        match: The name of the match.
        engine: The engine's name, as `tavola.engine` reads it.
        state: The position.
        alone: Whether engines play among themselves there.
        late: Whether it is for a seat whose time is up, and short.
        begun: Is called when it has waited for long enough.

    Attributes:
        since: Since when it has waited for a thread.
    """

    def __init__(
        self,
        match: str,
        engine: str,
        state: tavola.State,
        *,
        alone: bool = False,
        late: bool = False,
        begun: Callable[[], None] = lambda: None,
    ) -> None:
        self.match = match
        self.engine = engine
        self.state = state
        self.alone = alone
        self.late = late
        self.begun = begun
        self.since = time.monotonic()
        self.choice: asyncio.Future[str | None] | None = None
        self._stop = tavola.Stop()

    @property
    def stopped(self) -> bool:
        """Whether it has been ended."""
        return self._stop.is_set()

    def stop(self) -> None:
        """Ends it; at once, or before it begins."""
        self._stop.set()

    def run(self, engine: tavola.Engine | None) -> tuple[tavola.Engine, str | None]:
        """Thinks, in the calling thread, with an engine that has thought there before or anew."""
        if engine is None:
            engine = tavola.engine(self.engine, self.state.game)
            engine.new_game(secrets.randbits(63))
        if self.stopped:
            return engine, None
        choice = engine.choose(self.state, stop=self._stop)
        return engine, None if self.stopped else choice.token

    def answer(self, token: str | None) -> None:
        """Tells whoever waits for it what was chosen."""
        if self.choice is not None and not self.choice.done():
            self.choice.set_result(token)

    def fail(self, error: BaseException) -> None:
        """Tells whoever waits for it that nothing can be."""
        if self.choice is not None and not self.choice.done():
            self.choice.set_exception(error)
