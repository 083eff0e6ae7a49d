"""The clock of a table: how long the seat to act has thought since something last happened."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from tavola.server.matches.match import Match

FORGIVEN = 0.3
"""How many seconds of a turn the network may cost at most without costing the seat its time."""


class Clock:
    """Runs for the seat whose time the match says is running.

    Args:
        ring: Called when that seat's time is over, with the seat and its turn.
        ran: How many seconds it had run already when the table was opened.
    """

    def __init__(self, ring: Callable[[tuple[int, int]], None], ran: float = 0.0) -> None:
        self._ring = ring
        self._ran = ran
        self._seq: int | None = None
        self._running: tuple[int, int] | None = None
        self._left = 0.0
        self._lag = 0.0
        self._since: float | None = None
        self._forgiven = 0.0
        self._bell: asyncio.Handle | None = None

    @property
    def runs(self) -> bool:
        """Whether it runs now."""
        return self._since is not None

    @property
    def ran(self) -> float:
        """How many seconds it has run since something last happened; below 0 before it begins."""
        return self._ran + (0.0 if self._since is None else _now() - self._since)

    def follow(self, match: Match, *, runs: bool, lag: float) -> None:
        """Shows the time of the seat to act, from now on.

        Args:
            match: The match as it is now.
            runs: Whether the clock runs at all now.
            lag: How many seconds the network takes to that seat and back.
        """
        ran, self._since = self.ran, None
        if self._bell is not None:
            self._bell.cancel()
            self._bell = None
        if match.running != self._running:
            self._running, self._forgiven = match.running, 0.0
        if self._seq is not None and match.seq != self._seq:
            ran = 0.0
        self._seq, self._ran, self._lag = match.seq, ran, lag
        if self._running is None or match.times is None:
            return
        self._left = match.times.left(self._running[0])
        if runs:
            self._since = _now()
            # What is on its way may still arrive.
            at = self._since + max(self._left - ran + self._forgivable(lag), 0.0)
            self._bell = asyncio.get_running_loop().call_at(at, self._ring, self._running)

    def stop(self) -> None:
        """Rings no more."""
        self._since = None
        if self._bell is not None:
            self._bell.cancel()
            self._bell = None

    def over(self, lag: float | None = None) -> bool:
        """Whether the seat that is to act has no time left.

        Args:
            lag: How many seconds its action that is here now was on its way; `None`: it is not
                here, and may be on its way.
        """
        if self._running is None or self._since is None:
            return False
        return self.ran - self._forgivable(self._lag if lag is None else lag) >= self._left

    def spent(self, lag: float) -> int:
        """The milliseconds that the event which is logged now has cost the seat to act.

        Args:
            lag: How many seconds of them the network took; it may not take more than `FORGIVEN`
                of a turn.
        """
        forgiven = min(self._forgivable(lag), max(self.ran, 0.0))
        self._forgiven += forgiven
        return max(round((self.ran - forgiven) * 1000), 0)

    def _forgivable(self, lag: float) -> float:
        return max(min(lag, FORGIVEN - self._forgiven), 0.0)


def _now() -> float:
    return asyncio.get_running_loop().time()
