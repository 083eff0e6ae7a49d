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
from tavola.server.live.engine_queue import NOBODY, Queue
from tavola.server.ops.metrics import WAITED
from tavola.server.ops.rate_limits import WAITING_THOUGHTS
from tavola.server.schema.errors import Refused

TURN = 1.25
"""How many seconds of a thought are a turn: enough for engines that think for a second."""

KEPT = 16
"""How many engines that are not at work keep what they have found out: those in the middle of a
thought, which are never more, and then those that thought last."""


class Engines:
    """A few engines think at the same time; more thoughts wait.

    Whoever waits for thoughts takes turns with the others who do; engines among themselves think
    while nobody waits for another. A thought that is not over when its turn is rests for others: it
    stays where it is, in its thread, and goes on in its next turn. For seats whose time is up,
    which need next to none, one more engine thinks.

    Args:
        threads: How many engines think at the same time.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads + 1 + KEPT, thread_name_prefix="tavola-engine")
        self._awaited = Queue[Thought]()
        self._alone = Queue[Thought]()
        self._late = Queue[Thought]()
        # Each with the end of its turn, until that has come.
        self._thinking: dict[Thought, asyncio.TimerHandle | None] = {}
        self._resting: set[Thought] = set()
        self._kept: OrderedDict[tuple[str, str], tavola.Engine] = OrderedDict()
        self._closed = False
        self.threads = threads

    @property
    def thinking(self) -> int:
        """How many thoughts are being thought."""
        return len(self._thinking)

    @property
    def waiting(self) -> int:
        """How many thoughts wait for their turn, or for their next one."""
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
        """More people wait for a thought, if it is not over."""
        if thought in self._thinking or thought in self._queue(thought):
            self._queue(thought).join(thought, clients)

    def stop(self, thought: Thought) -> None:
        """Ends a thought, at once or before it begins."""
        thought.stop()
        if self._leave(thought):
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

    def _leave(self, thought: Thought) -> bool:
        """A thought waits for no turn any more; whether it has waited."""
        self._resting.discard(thought)
        return self._queue(thought).leave(thought)

    def _next(self) -> Thought | None:
        """What is thought next, if there is a thread for it or another thought gives way."""
        late = sum(thought.late for thought in self._thinking)
        if late == 0 and self._late:
            return self._late.next()
        if len(self._thinking) - late < self.threads or self._make_way():
            return self._awaited.next() or self._alone.next()
        return None

    def _make_way(self) -> bool:
        """Lets a thought rest whose turn is over, if others wait for theirs; whether one does."""
        if len(self._resting) == KEPT:
            return False
        # Engines among themselves first, then who has been at it for longest.
        for thought in sorted(self._thinking, key=lambda thought: not thought.alone):
            if self._thinking[thought] is None and self._gives_way(thought):
                del self._thinking[thought]
                thought.pause()
                self._resting.add(thought)
                self._forget()
                self._queue(thought).put_back(thought)
                return True
        return False

    def _gives_way(self, thought: Thought) -> bool:
        """Whether it is others' turn more than a thought's."""
        if thought.late:
            return False
        return (thought.alone and len(self._awaited) > 0) or self._queue(thought).gives_way(thought)

    def _go_on(self) -> None:
        """Every thread has a thought, if enough of them wait; whose turn is over makes way."""
        while (thought := self._next()) is not None:
            ends = asyncio.get_running_loop().call_later(TURN, self._turn_ends, thought)
            self._thinking[thought] = ends
            if thought in self._resting:
                self._resting.remove(thought)
                thought.resume()
            else:
                self._begin(thought)

    def _begin(self, thought: Thought) -> None:
        WAITED.observe(time.monotonic() - thought.since)
        # An engine that is at work is not among those that are kept: a thought that was stopped
        # and has not ended yet does not share it with the next.
        kept = self._kept.pop((thought.match, thought.engine), None)
        work = asyncio.get_running_loop().run_in_executor(self._pool, thought.run, kept)
        work.add_done_callback(partial(self._ended, thought))
        thought.begun()

    def _turn_ends(self, thought: Thought) -> None:
        self._thinking[thought] = None
        self._go_on()

    def _ended(
        self, thought: Thought, work: asyncio.Future[tuple[tavola.Engine, str | None]]
    ) -> None:
        if thought in self._thinking:
            if (ends := self._thinking.pop(thought)) is not None:
                ends.cancel()
            self._queue(thought).served(thought)
        else:
            # It was over just when it was to rest, or it was stopped while it did.
            self._leave(thought)
        if (error := work.exception()) is not None:
            thought.fail(error)
        else:
            engine, token = work.result()
            self._kept[thought.match, thought.engine] = engine
            self._forget()
            thought.answer(token)
        self._go_on()

    def _forget(self) -> None:
        """Of the engines that are not at work, those are forgotten that thought longest ago."""
        while len(self._kept) + len(self._resting) > KEPT:
            self._kept.popitem(last=False)


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

    def pause(self) -> None:
        """Lets it rest where it stands, and its time with it."""
        self._stop.pause()

    def resume(self) -> None:
        """Lets it go on after a rest."""
        self._stop.resume()

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
        if not isinstance(error, Exception):
            # A panic of the core is none, and would pass by whoever deals with failures.
            panic, error = error, RuntimeError("the core failed")
            error.__cause__ = panic
        if self.choice is not None and not self.choice.done():
            self.choice.set_exception(error)
