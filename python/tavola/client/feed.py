"""The reading of streams over several connections, without input and output."""

from __future__ import annotations

import random
from collections import deque
from typing import Protocol, TypeVar

import msgspec

from tavola.client.game import Game
from tavola.server.schema.account_stream import AccountMessage, GameEndMessage
from tavola.server.schema.responses import Snapshot, SnapshotMessage, UpdateMessage

T_co = TypeVar("T_co", covariant=True)

FIRST_DELAY, LAST_DELAY = 0.5, 30.0
"""Seconds between two attempts: the first ones, and at most."""

_match_line = msgspec.json.Decoder(SnapshotMessage | UpdateMessage)
_account_line = msgspec.json.Decoder(AccountMessage)


class Feed(Protocol[T_co]):
    """The reader of a stream: what comes again after a reconnection is left out."""

    path: str

    @property
    def params(self) -> dict[str, str]:
        """The parameters of the next connection."""

    def read(self, line: str) -> T_co | None:
        """Return the message of a line; `None` for a sign of life and for what has come before."""


class Backoff:
    """The seconds between attempts: twice as long after each failure, with a random part."""

    def __init__(self) -> None:
        self.failures = 0

    def reset(self) -> None:
        """Begin again, after a success."""
        self.failures = 0

    def next(self) -> float:
        """Return the seconds to wait after a failure."""
        delay = min(FIRST_DELAY * 2.0**self.failures, LAST_DELAY)
        self.failures += 1
        return delay * random.uniform(0.5, 1.0)


class AccountFeed:
    """Reads the stream of an account over several connections; each end comes once."""

    path = "/api/account/stream"

    def __init__(self) -> None:
        self.cursor: str | None = None
        self._ended: deque[str] = deque(maxlen=1000)

    @property
    def params(self) -> dict[str, str]:
        """The parameters of the next connection."""
        return {} if self.cursor is None else {"after": self.cursor}

    def read(self, line: str) -> AccountMessage | None:
        """Return the message of a line; `None` for a sign of life and for what has come before."""
        if not line:
            return None
        message: AccountMessage = _account_line.decode(line)
        self.cursor = message.cursor
        if isinstance(message, GameEndMessage):
            if message.game.match in self._ended:
                return None
            self._ended.append(message.game.match)
        return message


class MatchFeed:
    """Reads the stream of a match over several connections; each moment comes once."""

    def __init__(self, match: str) -> None:
        self.path = f"/api/matches/{match}/stream"
        self.params: dict[str, str] = {}
        self.is_over = False
        self._last: Snapshot | None = None

    def read(self, line: str) -> Game | None:
        """Return the game of a line; `None` for a sign of life and for what has come before."""
        if not line:
            return None
        snapshot = _match_line.decode(line).snapshot
        self.is_over = snapshot.status == "over"
        before, self._last = self._last, snapshot
        if before is not None and (before.seq, before.seats) == (snapshot.seq, snapshot.seats):
            return None
        return Game(snapshot)
