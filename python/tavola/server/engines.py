"""Engine seats: they think in the compiled core, in threads of their own, and can be stopped."""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import ThreadPoolExecutor

import tavola


class Engines:
    """A few threads in which engines think, one thought to a thread; more thoughts wait.

    Args:
        threads: How many engines think at the same time.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="tavola-engine")
        self._thoughts: set[Thought] = set()
        self._closed = False

    async def think(self, thought: Thought) -> str | None:
        """The action that the engine chooses, or `None` if it was stopped before."""
        if self._closed:
            return None
        self._thoughts.add(thought)
        try:
            return await asyncio.get_running_loop().run_in_executor(self._pool, thought.run)
        finally:
            self._thoughts.discard(thought)

    def close(self) -> None:
        """Stops every thought and waits for the threads."""
        self._closed = True
        for thought in self._thoughts:
            thought.stop()
        self._pool.shutdown(cancel_futures=True)


class Thought:
    """One engine's search for one action.

    Args:
        state: The position.
        seconds: How long to think.
    """

    def __init__(self, state: tavola.State, seconds: float) -> None:
        self._state = state
        self._seconds = seconds
        self._stop = tavola.Stop()

    def stop(self) -> None:
        """Ends the search; at once, or before it begins."""
        self._stop.set()

    def run(self) -> str | None:
        """Thinks, in the calling thread."""
        if self._stop.is_set():
            return None
        analysis = tavola.search(
            self._state,
            seconds=self._seconds,
            threads=1,
            seed=secrets.randbits(63),
            choose=True,
            stop=self._stop,
        )
        return None if self._stop.is_set() else str(analysis.best)
