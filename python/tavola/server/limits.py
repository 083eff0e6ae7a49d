"""How much one client may ask: far more than a person needs, far less than harms others."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from dataclasses import dataclass, field

from tavola.server.errors import Refused

BODY = 64 * 1024
"""The largest request and socket message, in bytes."""

REQUEST_RATE = 100.0
REQUESTS_AT_ONCE = 1000.0
MESSAGE_RATE = 30.0
MESSAGES_AT_ONCE = 300.0
VIEWERS_PER_CLIENT = 200
VIEWERS = 4000
CLIENTS_KEPT = 10_000


@dataclass(slots=True)
class Bucket:
    """Fills at `rate` a second up to `size`; every request takes one out.

    Attributes:
        rate: Requests a second in the long run.
        size: Requests at once.
    """

    rate: float
    size: float
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left = self.size
        self._at = time.monotonic()

    def take(self) -> None:
        """Takes one out.

        Raises:
            Refused: `too-fast`, if nothing is left.
        """
        now = time.monotonic()
        self._left = min(self.size, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < 1.0:
            raise Refused("too-fast")
        self._left -= 1.0


class Limits:
    """The buckets of every client, by address, and the count of open sockets."""

    def __init__(self) -> None:
        self._requests: OrderedDict[str, Bucket] = OrderedDict()
        self._viewers: Counter[str] = Counter()

    def request(self, client: str) -> None:
        """Counts a request.

        Raises:
            Refused: `too-fast`.
        """
        if client not in self._requests:
            self._requests[client] = Bucket(REQUEST_RATE, REQUESTS_AT_ONCE)
        bucket = self._requests[client]
        self._requests.move_to_end(client)
        if len(self._requests) > CLIENTS_KEPT:
            self._requests.popitem(last=False)
        bucket.take()

    def enter(self, client: str) -> None:
        """Counts a socket that opens.

        Raises:
            Refused: `too-many-viewers`.
        """
        if self._viewers[client] >= VIEWERS_PER_CLIENT or self._viewers.total() >= VIEWERS:
            raise Refused("too-many-viewers")
        self._viewers[client] += 1

    def leave(self, client: str) -> None:
        """Counts a socket that closes."""
        self._viewers[client] -= 1
        if self._viewers[client] <= 0:
            del self._viewers[client]
