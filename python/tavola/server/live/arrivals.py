"""The commands of a match that have arrived and have not been executed yet."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

LOOK_SECONDS = 0.005
"""Seconds between two looks whether earlier commands have been executed."""


class Arrivals:
    """The times at which commands arrived: no clock runs out before they have been executed."""

    def __init__(self) -> None:
        self._times: list[float] = []

    @contextmanager
    def expect(self, at: float) -> Iterator[None]:
        """Count a command as arrived, until the end of the block.

        Args:
            at: When it arrived, by `time.monotonic`.
        """
        self._times.append(at)
        try:
            yield
        finally:
            self._times.remove(at)

    async def wait(self, before: float) -> None:
        """Wait until the commands that arrived before a time have been executed."""
        while any(at < before for at in self._times):
            await asyncio.sleep(LOOK_SECONDS)
