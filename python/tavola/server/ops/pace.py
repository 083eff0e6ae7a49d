"""Paces the requests of each client, so that a burst of one leaves room for others in between."""

from __future__ import annotations

import asyncio
from collections import Counter

STARTS = 1
"""Requests of a client that start in one round of the event loop; an action takes several."""


class Pace:
    """Lets one request of each client start in each round of the event loop.

    A round handles everything that has arrived. Without a pace, hundreds of requests of one client
    would delay the actions that arrive after them.
    """

    def __init__(self) -> None:
        self._started: Counter[str] = Counter()

    async def wait(self, client: str) -> None:
        """Wait until a request of a client may start."""
        while self._started[client] >= STARTS:
            await asyncio.sleep(0)
        if not self._started:
            asyncio.get_running_loop().call_soon(self._started.clear)
        self._started[client] += 1
