"""Network latency of a client, measured by the server with echo messages, and its silence."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

BURST = 3
"""Number of echoes in the first measurement."""

INTERVAL = 2.0
"""How often, in seconds, afterwards."""

SILENCE_SECONDS = 2.5
"""How long a client that has answered before may take, until its connection counts as lost."""

SAMPLES = 5


class LatencyMeter:
    """The way there and back, of the latest echoes the shortest.

    Echo numbers are random, so no client can seem nearer than it is. A client that answers late on
    purpose gains little: see `tavola.server.live.clock.MAX_LAG_COMPENSATION`.

    Attributes:
        lag: Seconds; `None` if nothing was measured yet.
        is_silent: Whether a client that has answered before owes an answer for long.
    """

    def __init__(self) -> None:
        self.lag: float | None = None
        self.is_silent = False
        self._send_echo: Callable[[int], None] | None = None
        self._report_silence: Callable[[], None] | None = None
        self._samples: list[float] = []
        self._pending: tuple[int, float] | None = None
        self._burst_left = BURST
        self._next: asyncio.Handle | None = None

    def start(self, send_echo: Callable[[int], None], report_silence: Callable[[], None]) -> None:
        """Start to measure, unless it measures already.

        Args:
            send_echo: Sends for an echo of a number.
            report_silence: Called when the client has become silent.
        """
        self._send_echo, self._report_silence = send_echo, report_silence
        if self._next is None and self._pending is None:
            self._send()

    def receive(self, number: int) -> bool:
        """Handle an echo; return whether it was expected."""
        if self._pending is None or self._pending[0] != number:
            return False
        loop = asyncio.get_running_loop()
        self._samples = [*self._samples[1 - SAMPLES :], loop.time() - self._pending[1]]
        self.lag = min(self._samples)
        self._pending = None
        self.is_silent = False
        self._cancel()
        self._burst_left = max(self._burst_left - 1, 0)
        self._next = loop.call_later(0.0 if self._burst_left else INTERVAL, self._send)
        return True

    def stop(self) -> None:
        """Stop measuring."""
        self._cancel()
        self._pending = None
        self._send_echo = self._report_silence = None

    def _cancel(self) -> None:
        if self._next is not None:
            self._next.cancel()
        self._next = None

    def _send(self) -> None:
        assert self._send_echo is not None, "it has begun and has not stopped"
        loop = asyncio.get_running_loop()
        self._pending = (secrets.randbits(50), loop.time())
        # Programs need not answer at all.
        has_answered = self.lag is not None
        self._next = loop.call_later(SILENCE_SECONDS, self._end_wait) if has_answered else None
        self._send_echo(self._pending[0])

    def _end_wait(self) -> None:
        assert self._report_silence is not None, "it has begun and has not stopped"
        self._next = None
        self.is_silent = True
        self._report_silence()
