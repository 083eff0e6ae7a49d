"""The clock of a table: a person's time for a turn. It runs while anybody is there to play."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tavola.server.matches import Match
from tavola.server.wire import TurnClock


class Clock:
    """The time of the turn that is being played.

    Args:
        turn: How many seconds a person has for a turn.
        ring: Called when they are over.
    """

    def __init__(self, turn: int, ring: Callable[[tuple[int, int]], None]) -> None:
        self._turn = turn
        self._ring = ring
        self._timed: tuple[int, int] | None = None
        self._left = 0.0
        self._bell: asyncio.Handle | None = None
        self._ends = 0.0

    @property
    def face(self) -> TurnClock:
        """What it shows."""
        if self._bell is None:
            return TurnClock(self._turn, None if self._timed is None else self._left)
        return TurnClock(self._turn, max(self._ends - _now(), 0.0))

    def follow(self, match: Match, *, runs: bool) -> None:
        """Shows the time of the match's turn, a new one if it is another; runs or stands still."""
        self._stop()
        if match.timed != self._timed:
            self._timed = match.timed
            self._left = self._turn - match.used
        if runs and self._timed is not None:
            self._ends = _now() + max(self._left, 0.0)
            self._bell = asyncio.get_running_loop().call_at(self._ends, self._ring, self._timed)

    def _stop(self) -> None:
        if self._bell is not None:
            self._left = self._ends - _now()
            self._bell.cancel()
            self._bell = None


def _now() -> float:
    return asyncio.get_running_loop().time()
