"""Engine seats: they think in the compiled core, in threads of their own, and can be stopped."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import tavola

KEPT = 16
"""How many engines keep what they have found out in their matches: those that thought last."""


class Engines:
    """A few threads in which engines think, one thought to a thread; more thoughts wait.

    Args:
        threads: How many engines think at the same time.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="tavola-engine")
        self._thoughts: set[Thought] = set()
        self._kept: OrderedDict[tuple[str, str], tavola.Engine] = OrderedDict()
        self._closed = False
        self.threads = threads

    @property
    def thinking(self) -> int:
        """How many thoughts are being thought, or wait for a thread."""
        return len(self._thoughts)

    async def think(self, thought: Thought) -> str | None:
        """The action that the engine chooses, or `None` if it was stopped before."""
        if self._closed:
            return None
        # An engine that is at work is not among those that are kept: a thought that was stopped
        # and has not ended yet does not share it with the next.
        key = thought.match, thought.engine
        engine = self._kept.pop(key, None)
        if engine is None:
            engine = tavola.engine(thought.engine, thought.state.game)
            engine.new_game(secrets.randbits(63))
        self._thoughts.add(thought)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, thought.run, engine)
        finally:
            self._thoughts.discard(thought)
            self._kept[key] = engine
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def close(self) -> None:
        """Stops every thought and waits for the threads."""
        self._closed = True
        for thought in self._thoughts:
            thought.stop()
        self._pool.shutdown(cancel_futures=True)


class Thought:
    """What an engine thinks about one action.

    Args:
        match: The name of the match.
        engine: The engine's name, as `tavola.engine` reads it.
        state: The position.
    """

    def __init__(self, match: str, engine: str, state: tavola.State) -> None:
        self.match = match
        self.engine = engine
        self.state = state
        self._stop = tavola.Stop()

    def stop(self) -> None:
        """Ends it; at once, or before it begins."""
        self._stop.set()

    def run(self, engine: tavola.Engine) -> str | None:
        """Thinks, in the calling thread."""
        if self._stop.is_set():
            return None
        choice = engine.choose(self.state, stop=self._stop)
        return None if self._stop.is_set() else choice.token
