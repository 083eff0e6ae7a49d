"""Engine seats: they think in the compiled core, in threads of their own, and can be stopped."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor

import tavola

KEPT = 16
"""Of how many matches the engines keep what they have found out: those thought about last."""

MEGABYTES = 64
"""How much memory a match's tree may take."""


class Engines:
    """A few threads in which engines think, one thought to a thread; more thoughts wait.

    Args:
        threads: How many engines think at the same time.
    """

    def __init__(self, threads: int) -> None:
        self._pool = ThreadPoolExecutor(threads, thread_name_prefix="tavola-engine")
        self._thoughts: set[Thought] = set()
        self._kept: OrderedDict[str, tavola.Searcher] = OrderedDict()
        self._closed = False

    async def think(self, thought: Thought) -> str | None:
        """The action that the engine chooses, or `None` if it was stopped before."""
        if self._closed:
            return None
        # A searcher that is at work is not among those that are kept: a thought that was stopped
        # and has not ended yet does not share it with the next.
        searcher = self._kept.pop(thought.match, None)
        if searcher is None or searcher.game != thought.state.game:
            searcher = tavola.Searcher(thought.state.game)
        self._thoughts.add(thought)
        try:
            loop = asyncio.get_running_loop()
            return await loop.run_in_executor(self._pool, thought.run, searcher)
        finally:
            self._thoughts.discard(thought)
            self._kept[thought.match] = searcher
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

    def close(self) -> None:
        """Stops every thought and waits for the threads."""
        self._closed = True
        for thought in self._thoughts:
            thought.stop()
        self._pool.shutdown(cancel_futures=True)


class Thought:
    """One engine's search for one action.

    Args:
        match: The name of the match.
        state: The position.
        seconds: How long to think.
    """

    def __init__(self, match: str, state: tavola.State, seconds: float) -> None:
        self.match = match
        self.state = state
        self._seconds = seconds
        self._stop = tavola.Stop()

    def stop(self) -> None:
        """Ends the search; at once, or before it begins."""
        self._stop.set()

    def run(self, searcher: tavola.Searcher) -> str | None:
        """Thinks, in the calling thread, with what is known of the match."""
        if self._stop.is_set():
            return None
        analysis = searcher.search(
            self.state,
            seconds=self._seconds,
            threads=1,
            seed=secrets.randbits(63),
            choose=True,
            memory=MEGABYTES,
            stop=self._stop,
        )
        return None if self._stop.is_set() else str(analysis.best)
