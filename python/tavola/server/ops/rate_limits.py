"""How much one client may ask: far more than a person needs, far less than harms others."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

from tavola.server.schema.errors import Refused

BODY = 64 * 1024
"""The largest request and socket message, in bytes."""

ARRIVAL = 20
"""How long a request may take to arrive, in seconds, from its first byte to its last."""

REQUEST_RATE = 100.0
REQUESTS_AT_ONCE = 1000.0
MESSAGE_RATE = 30.0
MESSAGES_AT_ONCE = 300.0
CHAT_RATE = 0.5
CHAT_AT_ONCE = 8.0
"""Of a seat, wherever it speaks from: lines and reports."""
THINKING_RATE = 0.5
THINKING_AT_ONCE = 600.0
"""Seconds of analysis: what comes back in a second, and how many can be saved up."""
WAITING_THOUGHTS = 100
"""In how many matches of somebody engines may wait for their turn to think."""
SIGN_IN_RATE = 1 / 10
SIGN_INS_AT_ONCE = 30.0
"""From an address."""
NAME_RATE = 1 / 60
NAME_AT_ONCE = 10.0
"""Passwords tried for a name, wherever from."""
SIGN_UP_RATE = 1 / 120
SIGN_UPS_AT_ONCE = 20.0
EXPORT_RATE = 1 / 300
EXPORTS_AT_ONCE = 5.0
VIEWERS_PER_CLIENT = 200
VIEWERS = 20_000
CLIENTS_KEPT = 10_000


@lru_cache(CLIENTS_KEPT)
def client_of(address: str) -> str:
    """Whose limits count for an address: of IPv6 all of a house's, which are 64 bits of them."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if not isinstance(found, IPv6Address):
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Network((int(found), 64), strict=False))


@dataclass(slots=True)
class Bucket:
    """Fills at `rate` a second up to `size`; every request takes one out, unless it says more.

    Attributes:
        rate: Requests a second in the long run.
        size: Requests at once.
        code: Why more than that is refused.
    """

    rate: float
    size: float
    code: str = "too-fast"
    _left: float = field(init=False)
    _at: float = field(init=False)

    def __post_init__(self) -> None:
        self._left = self.size
        self._at = time.monotonic()

    def take(self, much: float = 1.0) -> None:
        """Takes some out.

        Raises:
            Refused: With the bucket's code, if so much is not left.
        """
        now = time.monotonic()
        self._left = min(self.size, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < much:
            raise Refused(self.code)
        self._left -= much


def speech() -> Bucket:
    """What a seat may say at a table."""
    return Bucket(CHAT_RATE, CHAT_AT_ONCE, "said-enough")


class Limits:
    """The buckets of every client, by address, and the count of open sockets."""

    def __init__(self) -> None:
        self._requests: OrderedDict[str, Bucket] = OrderedDict()
        self._thoughts: OrderedDict[str, Bucket] = OrderedDict()
        self._sign_ins: OrderedDict[str, Bucket] = OrderedDict()
        self._names: OrderedDict[str, Bucket] = OrderedDict()
        self._sign_ups: OrderedDict[str, Bucket] = OrderedDict()
        self._exports: OrderedDict[str, Bucket] = OrderedDict()
        self._viewers: Counter[str] = Counter()

    def request(self, client: str) -> None:
        """Counts a request.

        Raises:
            Refused: `too-fast`.
        """
        _of(self._requests, client, lambda: Bucket(REQUEST_RATE, REQUESTS_AT_ONCE)).take()

    def think(self, client: str, seconds: float) -> None:
        """Counts seconds of analysis.

        Raises:
            Refused: `thought-enough`.
        """
        bucket = _of(
            self._thoughts,
            client,
            lambda: Bucket(THINKING_RATE, THINKING_AT_ONCE, "thought-enough"),
        )
        bucket.take(seconds)

    def sign_in(self, client: str, name: str) -> None:
        """Counts a password that is tried, by address and by name, whether or not there is one.

        Raises:
            Refused: `too-many-attempts`.
        """
        code = "too-many-attempts"
        _of(self._sign_ins, client, lambda: Bucket(SIGN_IN_RATE, SIGN_INS_AT_ONCE, code)).take()
        _of(self._names, name, lambda: Bucket(NAME_RATE, NAME_AT_ONCE, code)).take()

    def sign_up(self, client: str) -> None:
        """Counts an account that is made.

        Raises:
            Refused: `too-many-attempts`.
        """
        code = "too-many-attempts"
        _of(self._sign_ups, client, lambda: Bucket(SIGN_UP_RATE, SIGN_UPS_AT_ONCE, code)).take()

    def export(self, account: str) -> None:
        """Counts an export of an account.

        Raises:
            Refused: `too-many-attempts`.
        """
        code = "too-many-attempts"
        _of(self._exports, account, lambda: Bucket(EXPORT_RATE, EXPORTS_AT_ONCE, code)).take()

    @property
    def viewers(self) -> int:
        """How many sockets are open."""
        return self._viewers.total()

    def enter(self, client: str) -> None:
        """Counts a socket that opens.

        Raises:
            Refused: `too-many-viewers`.
        """
        self.check_room(client)
        self._viewers[client] += 1

    def check_room(self, client: str) -> None:
        """Looks whether one more may open.

        Raises:
            Refused: `too-many-viewers`.
        """
        if self._viewers[client] >= VIEWERS_PER_CLIENT or self._viewers.total() >= VIEWERS:
            raise Refused("too-many-viewers")

    def leave(self, client: str) -> None:
        """Counts a socket that closes."""
        self._viewers[client] -= 1
        if self._viewers[client] <= 0:
            del self._viewers[client]


def _of(buckets: OrderedDict[str, Bucket], client: str, fresh: Callable[[], Bucket]) -> Bucket:
    """A client's bucket; those that were not used for longest are forgotten."""
    if client not in buckets:
        buckets[client] = fresh()
    buckets.move_to_end(client)
    if len(buckets) > CLIENTS_KEPT:
        buckets.popitem(last=False)
    return buckets[client]
