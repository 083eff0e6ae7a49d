"""How far away the network puts somebody: measured by the server, at echoes that it asks for."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

FIRST = 3
"""How many echoes are asked for one after another in the beginning."""

EVERY = 10.0
"""How often, in seconds, afterwards."""

KEPT = 5


class Measure:
    """The way there and back, of the latest echoes the shortest.

    Numbers cannot be guessed: nobody is nearer than they are. Who answers late on purpose seems
    further away, which is worth little: see `tavola.server.live.clock.FORGIVEN`.

    Attributes:
        lag: Seconds; `None` if nothing was measured yet.
    """

    def __init__(self) -> None:
        self.lag: float | None = None
        self._ask: Callable[[int], None] | None = None
        self._found: list[float] = []
        self._asked: tuple[int, float] | None = None
        self._left = FIRST
        self._next: asyncio.Handle | None = None

    def begin(self, ask: Callable[[int], None]) -> None:
        """Measures from now on, if it does not already.

        Args:
            ask: Sends for an echo of a number.
        """
        self._ask = ask
        if self._next is None and self._asked is None:
            self._send()

    def hear(self, number: int) -> bool:
        """An echo has come; returns whether it is one that was asked for."""
        if self._asked is None or self._asked[0] != number:
            return False
        loop = asyncio.get_running_loop()
        self._found = [*self._found[1 - KEPT :], loop.time() - self._asked[1]]
        self.lag = min(self._found)
        self._asked = None
        self._left = max(self._left - 1, 0)
        self._next = loop.call_later(0.0 if self._left else EVERY, self._send)
        return True

    def stop(self) -> None:
        """Measures no more."""
        if self._next is not None:
            self._next.cancel()
        self._next = None
        self._asked = None
        self._ask = None

    def _send(self) -> None:
        assert self._ask is not None, "it has begun and has not stopped"
        self._next = None
        self._asked = (secrets.randbits(50), asyncio.get_running_loop().time())
        self._ask(self._asked[0])
