"""The time in which this process ran: time in which it was stopped or blocked does not count."""

from __future__ import annotations

import asyncio
import time

TICK_SECONDS = 0.02
"""Seconds between two looks at the clock."""

TOLERANCE = 0.02
"""How late, in seconds, a look may be before the process counts as stopped."""

LONGEST_DELAY = 1.0
"""Seconds of a stop from which the process counts as down, not only as slow."""


class RunningTime:
    """Counts the seconds in which the event loop ran, by the system's monotonic clock."""

    def __init__(self) -> None:
        self._looked = time.monotonic()
        self._stopped = 0.0
        self._down = 0.0
        self._tickers = 0

    def now(self) -> float:
        """Return the seconds in which the process ran, from an arbitrary start."""
        at = time.monotonic()
        return at - self._stopped - self._late(at)

    def uptime(self) -> float:
        """Return the same, with the time in which the process was only slow."""
        at = time.monotonic()
        late = self._late(at)
        return at - self._down - (late if late > LONGEST_DELAY else 0.0)

    async def tick(self) -> None:
        """Look at the clock regularly, until it is cancelled; without that, it never stops."""
        self._look()
        self._tickers += 1
        try:
            while True:
                await asyncio.sleep(TICK_SECONDS)
                self._look()
        finally:
            self._tickers -= 1

    def _look(self) -> None:
        at = time.monotonic()
        late = self._late(at)
        self._stopped += late
        if late > LONGEST_DELAY:
            self._down += late
        self._looked = at

    def _late(self, at: float) -> float:
        """Return for how long the next look has been missing."""
        if not self._tickers:
            return 0.0
        return max(at - self._looked - TICK_SECONDS - TOLERANCE, 0.0)


running = RunningTime()
"""The time of this process."""
