"""The time in which this process ran: time in which it was stopped or blocked does not count."""

from __future__ import annotations

import asyncio
import time

TICK_SECONDS = 0.2
"""Seconds between two looks at the clock."""

LONGEST_GAP = 1.0
"""Seconds between two looks from which the process counts as stopped between them."""


class RunningTime:
    """Counts the seconds in which the event loop ran, by the system's monotonic clock."""

    def __init__(self) -> None:
        self._seen = time.monotonic()
        self._stopped = 0.0
        self._tickers = 0

    def now(self) -> float:
        """Return the seconds in which the process ran, from an arbitrary start."""
        at = time.monotonic()
        gap, self._seen = at - self._seen, at
        if self._tickers and gap > LONGEST_GAP:
            self._stopped += gap
        return at - self._stopped

    async def tick(self) -> None:
        """Look at the clock regularly, until it is cancelled; without that, nothing is a gap."""
        self.now()
        self._tickers += 1
        try:
            while True:
                await asyncio.sleep(TICK_SECONDS)
                self.now()
        finally:
            self._tickers -= 1


running = RunningTime()
"""The time of this process."""
