"""Presence: which players and viewers are connected, and their latency."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Protocol

from tavola.server.ops.fair_queue import NO_CLIENT
from tavola.server.schema.responses import (
    ChatLine,
    EngineFailure,
    PresenceMessage,
    SeatPresence,
    Snapshot,
)
from tavola.server.snapshots.updates import Update

RECONNECT_SECONDS = 45.0
"""Seconds in which a viewer whose connection broke is expected to return."""

UPDATE_SECONDS = 0.5
"""The minimum number of seconds between two messages to every viewer."""

LAG_TOLERANCE_MS = 20
"""Milliseconds of lag within which two values count as equal."""


class Viewer(Protocol):
    """A receiver of a match's updates.

    Attributes:
        held: The seats that they hold.
        client: The address that they come from.
        account: Their account, if they read the chat as one.
    """

    held: frozenset[int]
    client: str
    account: str | None

    @property
    def lag(self) -> float | None:
        """How many seconds the network takes there and back, if it was measured for a clock."""

    @property
    def is_silent(self) -> bool:
        """Whether the client has stopped to answer, so that its connection seems lost."""

    def send_update(self, update: Update) -> None:
        """Handle a logged event; return at once."""

    def send_snapshot(self, snapshot: Snapshot) -> None:
        """Send a new snapshot without a logged event; return at once."""

    def send_presence(self, presence: PresenceMessage) -> None:
        """Send a change of presence; return at once."""

    def send_chat(self, lines: tuple[ChatLine, ...], *, whole: bool) -> None:
        """Send lines of the chat: a new one, or the `whole` of it; return at once."""

    def update_blocks(self, blocked: frozenset[str], lines: tuple[ChatLine, ...]) -> None:
        """Handle a change of whom the viewer's account blocks; return at once.

        Args:
            blocked: The accounts that it blocks.
            lines: The whole chat.
        """

    def disconnect(self) -> None:
        """Close the connection, as the match has moved elsewhere; return at once."""


class Presence:
    """The viewers of a match, and what each learns about the others.

    Args:
        expected: The seats whose persons may have been present before the server stopped.

    Attributes:
        viewers: The viewers.
        persons: The seats of persons.
        engine_waits: Whether the engine to act has been queued for long.
        engine_failure: How the engine to act failed, if it did.
    """

    def __init__(self, expected: Iterable[int]) -> None:
        self.viewers: set[Viewer] = set()
        self.persons: frozenset[int] = frozenset()
        self.engine_waits = False
        self.engine_failure: EngineFailure | None = None
        self.last_sent: PresenceMessage | None = None
        self._here: frozenset[int] = frozenset()
        self._expected: dict[int, asyncio.Handle] = {}
        self._pause: asyncio.Handle | None = None
        self._start_grace_period(expected)

    def absent_seats(self) -> frozenset[int]:
        """Return the seats whose persons have gone, or never came."""
        return self.persons - self.present_seats() - self._expected.keys()

    def waiting_clients(self, starter: str) -> set[str]:
        """Return the addresses that wait for an engine: players, and the match's `starter`.

        If only engines play, spectators wait too.
        """
        here = {viewer.client for viewer in self.viewers if viewer.held or not self.persons}
        return (here | {starter}) - {NO_CLIENT}

    def lag(self, seat: int) -> float | None:
        """Return the round-trip time to a seat in seconds, if it was measured."""
        lags = [v.lag for v in self.viewers if v.lag is not None and seat in v.held]
        return min(lags, default=None)

    def broadcast(self, newcomer: Viewer | None = None) -> None:
        """Send the presence to every viewer if it has changed; small changes of lag do not count.

        Further changes, except of the failure of an engine, wait and are sent together.

        Args:
            newcomer: A viewer that receives it in any case.
        """
        here = self.present_seats()
        self._start_grace_period(self._here - here)
        for seat in here & self._expected.keys():
            self._expected.pop(seat).cancel()
        self._here = here
        presence = PresenceMessage(
            tuple(self._seat_presence(seat) for seat in sorted(self.persons)),
            sum(not viewer.held for viewer in self.viewers),
            self.engine_waits,
            self.engine_failure,
        )
        last = self.last_sent
        # How an engine failed is shown at once: a player waits for it.
        waits = (
            self._pause is not None
            and last is not None
            and presence.engine_failure == last.engine_failure
        )
        if waits or (last is not None and _is_similar(presence, last)):
            if newcomer is not None:
                newcomer.send_presence(presence)
            return
        self.last_sent = presence
        for viewer in tuple(self.viewers):
            viewer.send_presence(presence)
        if self._pause is not None:
            self._pause.cancel()
        self._pause = asyncio.get_running_loop().call_later(UPDATE_SECONDS, self._end_pause)

    def _end_pause(self) -> None:
        self._pause = None
        self.broadcast()

    def present_seats(self) -> frozenset[int]:
        """Return the seats of all present viewers, already announced or not."""
        heard = (viewer.held for viewer in self.viewers if not viewer.is_silent)
        return frozenset[int]().union(*heard)

    def _seat_presence(self, seat: int) -> SeatPresence:
        lag = self.lag(seat)
        milliseconds = None if lag is None else round(lag * 1000)
        if seat in self._here:
            return SeatPresence(seat, "online", milliseconds)
        return SeatPresence(
            seat, "reconnecting" if seat in self._expected else "away", milliseconds
        )

    def _start_grace_period(self, seats: Iterable[int]) -> None:
        for seat in seats:
            loop = asyncio.get_running_loop()
            self._expected[seat] = loop.call_later(RECONNECT_SECONDS, self._end_grace_period, seat)

    def _end_grace_period(self, seat: int) -> None:
        self._expected.pop(seat, None)
        self.broadcast()


def _is_similar(one: PresenceMessage, other: PresenceMessage) -> bool:
    if _without_lag(one) != _without_lag(other):
        return False
    return all(
        abs((a.lag or 0) - (b.lag or 0)) < max(LAG_TOLERANCE_MS, (b.lag or 0) // 4)
        for a, b in zip(one.seats, other.seats, strict=True)
    )


def _without_lag(presence: PresenceMessage) -> tuple[object, ...]:
    """Return everything but the exact lags."""
    seats = tuple((one.seat, one.state, one.lag is None) for one in presence.seats)
    return seats, presence.watching, presence.engine_queued, presence.engine_failure
