"""The clock of a live match: the time since the last event.

The time at which a command arrived counts, not the time at which it was executed. The clock
stands still while the server stalls.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

from tavola.server.matches.match import Match
from tavola.server.ops.running_time import running
from tavola.server.schema.responses import ClockState
from tavola.server.snapshots.snapshot import clock_state

MAX_LAG_COMPENSATION = 0.3
"""The maximum network latency, in seconds a turn, that does not count as time of the seat."""

OnExpired = Callable[[tuple[int, int]], None]


class Clock:
    """Runs for the seat whose time is running.

    Args:
        elapsed: The seconds that it had already run when the match was loaded.
    """

    def __init__(self, elapsed: float = 0.0) -> None:
        self._on_expired: OnExpired | None = None
        self._elapsed_before = elapsed
        self._seq: int | None = None
        self._running: tuple[int, int] | None = None
        self._left = 0.0
        self._lag = 0.0
        self._since: float | None = None
        self._compensated = 0.0
        self._timer: asyncio.Handle | None = None

    @property
    def is_running(self) -> bool:
        """Whether it runs now."""
        return self._since is not None

    @property
    def elapsed(self) -> float:
        """The seconds that it has run since the last event; negative before it starts."""
        return self._elapsed_before + (0.0 if self._since is None else _now() - self._since)

    def state(self, match: Match) -> ClockState | None:
        """Return the clock of the match, as viewers see it."""
        return clock_state(match, self.elapsed, is_running=self.is_running)

    def update(self, match: Match, on_expired: OnExpired, *, is_running: bool, lag: float) -> None:
        """Show the time of the seat to act, from now on.

        Args:
            match: The match as it is now.
            on_expired: Called when that seat's time is over, with the seat and its turn.
            is_running: Whether the clock runs at all now.
            lag: How many seconds the network takes to that seat and back.
        """
        ran = self.elapsed
        self.stop()
        if match.running_turn != self._running:
            self._running, self._compensated = match.running_turn, 0.0
        if self._seq is not None and match.seq != self._seq:
            ran = 0.0
        self._seq, self._elapsed_before, self._lag = match.seq, ran, lag
        if self._running is None or match.remaining_time is None:
            return
        self._left = match.remaining_time.left(self._running[0])
        if is_running:
            self._since = _now()
            # Only a clock that runs holds on to its match.
            self._on_expired = on_expired
            self._start_timer()

    def stop(self) -> None:
        """Stop the timer."""
        self._since = self._on_expired = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def is_expired(self, lag: float | None = None, arrived: float | None = None) -> bool:
        """Return whether the seat to act has no time left.

        Args:
            lag: How many seconds its action that is here now was on its way; `None`: it is not
                here, and may be on its way.
            arrived: When that action arrived, by `time.monotonic`; `None`: now.
        """
        if self._running is None or self._since is None:
            return False
        elapsed = self._elapsed_at(arrived)
        return elapsed - self._compensation(self._lag if lag is None else lag) >= self._left

    def runs_unwatched(self, match: Match) -> bool:
        """Return whether it runs now and does not wait for viewers."""
        return self.is_running and not match.clock_waits_for_viewers

    def ends_match(
        self, match: Match, lag: float | None = None, arrived: float | None = None
    ) -> bool:
        """Return whether the seat to act has lost on time; the arguments are `is_expired`'s."""
        return not match.clock_waits_for_viewers and self.is_expired(lag, arrived)

    def ends_turn(self, match: Match, held: frozenset[int]) -> bool:
        """Return whether one of these seats has timed out and its turn is being ended.

        Args:
            match: The match as it is now.
            held: The seats.
        """
        mine = match.running_turn is not None and match.running_turn[0] in held
        return mine and match.clock_waits_for_viewers and self.is_expired()

    def spent_milliseconds(self, lag: float, arrived: float | None = None) -> int:
        """Return the milliseconds that the event which is logged now has cost the seat to act.

        Args:
            lag: How many seconds of them the network took, at most
                `MAX_LAG_COMPENSATION` of a turn.
            arrived: When the command arrived, by `time.monotonic`; `None`: now.
        """
        elapsed = self._elapsed_at(arrived)
        forgiven = min(self._compensation(lag), max(elapsed, 0.0))
        self._compensated += forgiven
        return max(round((elapsed - forgiven) * 1000), 0)

    def _elapsed_at(self, arrived: float | None) -> float:
        """Return the seconds that it had run when a command arrived."""
        return self.elapsed - (0.0 if arrived is None else max(time.monotonic() - arrived, 0.0))

    def _start_timer(self) -> None:
        # An action may still be on its way.
        left = self._left - self.elapsed + self._compensation(self._lag)
        self._timer = asyncio.get_running_loop().call_later(max(left, 0.0), self._on_timer)

    def _on_timer(self) -> None:
        if self._running is not None and self._on_expired is not None and self.is_expired():
            self._on_expired(self._running)
        else:
            # The process was stopped.
            self._start_timer()

    def _compensation(self, lag: float) -> float:
        return max(min(lag, MAX_LAG_COMPENSATION - self._compensated), 0.0)


def _now() -> float:
    return running.now()
