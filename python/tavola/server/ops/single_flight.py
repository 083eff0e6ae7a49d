"""Work that is done once for all who want its result at the same time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any, Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class SingleFlight(Generic[K, V]):
    """Running work by its key. It continues when those who wait for it leave."""

    def __init__(self) -> None:
        self._running: dict[K, asyncio.Task[V]] = {}

    async def get(self, key: K, start: Callable[[], Coroutine[Any, Any, V]]) -> V:
        """Return the result of the running work for a key, or of new work.

        Args:
            key: What is wanted.
            start: Does the work.
        """
        task = self._running.get(key)
        if task is None:
            task = self._running[key] = asyncio.create_task(start())
            task.add_done_callback(lambda done: self._end(key, done))
        return await asyncio.shield(task)

    async def close(self) -> None:
        """Stop all work."""
        running = list(self._running.values())
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)

    def _end(self, key: K, task: asyncio.Task[V]) -> None:
        del self._running[key]
        if not task.cancelled():
            # All who waited for it may have left.
            task.exception()
