"""Rate limits per client: far above a player's needs, far below what harms others."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

from tavola.server.schema.errors import RequestError

MAX_BODY_BYTES = 64 * 1024
"""The largest request and socket message, in bytes."""

REQUEST_READ_SECONDS = 20
"""How long a request may take to arrive, in seconds, from its first byte to its last."""

FIRST_BYTE_SECONDS = 10
"""How long a new connection may be silent, in seconds."""
MAX_CONNECTIONS = 256
"""HTTP connections of an address, but for a trusted proxy; sockets are counted apart."""

UNREAD_SECONDS = 30
UNREAD_BYTES = 16 * 1024
"""A client must read this many bytes in these seconds while sent data waits for it."""
MAX_PENDING_BYTES = 1024 * 1024
"""Bytes that may wait for one client; then its connection ends."""

REQUEST_RATE = 100.0
REQUEST_BURST = 1000.0
MESSAGE_RATE = 30.0
MESSAGE_BURST = 300.0
CHAT_RATE = 0.5
CHAT_BURST = 8.0
"""Of a seat, wherever it speaks from: lines and reports."""
ANALYSIS_RATE = 0.5
ANALYSIS_BURST = 600.0
"""Seconds of analysis: what comes back in a second, and how many can be saved up."""
MAX_WAITING_ENGINES = 100
"""Matches of one client in which engines may wait for their turn."""
SIGN_IN_RATE = 1 / 10
SIGN_IN_BURST = 30.0
"""Passwords tried from an address, but for those of known devices and sessions."""
PASSWORD_RATE = 1 / 60
PASSWORD_BURST = 10.0
"""Passwords tried for a name from an address, by a known device, or in a session."""
MAX_HASHES = 64
MAX_HASHES_PER_CLIENT = 8
"""Passwords that wait for their hash, or are being hashed."""
SIGN_UP_RATE = 1 / 120
SIGN_UP_BURST = 20.0
MATCH_RATE = 1000 / 86_400
MATCH_BURST = 1000.0
"""New matches of an address: a thousand a day."""
UNPLAYED_DAYS = 60
"""A match in which no seat acted is deleted after these days."""
MAX_OFFERS = 10
"""Open challenges of an address in the lobby."""
EXPORT_RATE = 1 / 300
EXPORT_BURST = 5.0
MAX_VIEWERS_PER_CLIENT = 200
MAX_VIEWERS = 20_000
MAX_CLIENTS = 10_000


@lru_cache(MAX_CLIENTS)
def client_key(address: str) -> str:
    """Return the network whose limits an address shares: for IPv6, the first 64 bits."""
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
class TokenBucket:
    """Fills at `rate` per second up to `size`; every request takes one token by default.

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

    def take(self, amount: float = 1.0) -> None:
        """Take tokens out of the bucket.

        Raises:
            RequestError: With the bucket's code, if so much is not left.
        """
        now = time.monotonic()
        self._left = min(self.size, self._left + (now - self._at) * self.rate)
        self._at = now
        if self._left < amount:
            raise RequestError(self.code)
        self._left -= amount


def chat_bucket() -> TokenBucket:
    """Return the chat limit of a seat."""
    return TokenBucket(CHAT_RATE, CHAT_BURST, "chat-limit")


class RateLimits:
    """The buckets of every client, by address, and the count of open sockets."""

    def __init__(self) -> None:
        self._requests: OrderedDict[str, TokenBucket] = OrderedDict()
        self._thoughts: OrderedDict[str, TokenBucket] = OrderedDict()
        self._sign_ins: OrderedDict[str, TokenBucket] = OrderedDict()
        self._passwords: OrderedDict[str, TokenBucket] = OrderedDict()
        self._sign_ups: OrderedDict[str, TokenBucket] = OrderedDict()
        self._matches: OrderedDict[str, TokenBucket] = OrderedDict()
        self._exports: OrderedDict[str, TokenBucket] = OrderedDict()
        self._viewers: Counter[str] = Counter()

    def count_request(self, client: str) -> None:
        """Count a request.

        Raises:
            RequestError: `too-fast`.
        """
        _bucket_of(self._requests, client, lambda: TokenBucket(REQUEST_RATE, REQUEST_BURST)).take()

    def count_analysis(self, client: str, seconds: float) -> None:
        """Count seconds of analysis.

        Raises:
            RequestError: `analysis-limit`.
        """
        bucket = _bucket_of(
            self._thoughts,
            client,
            lambda: TokenBucket(ANALYSIS_RATE, ANALYSIS_BURST, "analysis-limit"),
        )
        bucket.take(seconds)

    def count_sign_in(self, client: str, name: str) -> None:
        """Count a password that is tried for a name, whether or not there is such an account.

        Raises:
            RequestError: `too-many-attempts`.
        """
        code = "too-many-attempts"
        _bucket_of(
            self._sign_ins, client, lambda: TokenBucket(SIGN_IN_RATE, SIGN_IN_BURST, code)
        ).take()
        self.count_password(f"{client} {name}")

    def count_password(self, source: str) -> None:
        """Count a password that is tried.

        Args:
            source: A known device, a session, or an address with a name.

        Raises:
            RequestError: `too-many-attempts`.
        """
        _bucket_of(
            self._passwords,
            source,
            lambda: TokenBucket(PASSWORD_RATE, PASSWORD_BURST, "too-many-attempts"),
        ).take()

    def count_sign_up(self, client: str) -> None:
        """Count an account that is made.

        Raises:
            RequestError: `too-many-attempts`.
        """
        code = "too-many-attempts"
        _bucket_of(
            self._sign_ups, client, lambda: TokenBucket(SIGN_UP_RATE, SIGN_UP_BURST, code)
        ).take()

    def count_match(self, client: str) -> None:
        """Count a new match.

        Raises:
            RequestError: `match-limit`.
        """
        _bucket_of(
            self._matches, client, lambda: TokenBucket(MATCH_RATE, MATCH_BURST, "match-limit")
        ).take()

    def count_export(self, account: str) -> None:
        """Count an export of an account.

        Raises:
            RequestError: `too-many-attempts`.
        """
        code = "too-many-attempts"
        _bucket_of(
            self._exports, account, lambda: TokenBucket(EXPORT_RATE, EXPORT_BURST, code)
        ).take()

    @property
    def viewers(self) -> int:
        """How many sockets are open."""
        return self._viewers.total()

    def open_socket(self, client: str) -> None:
        """Count a socket that opens.

        Raises:
            RequestError: `too-many-viewers`.
        """
        self.check_socket_limit(client)
        self._viewers[client] += 1

    def check_socket_limit(self, client: str) -> None:
        """Look whether one more may open.

        Raises:
            RequestError: `too-many-viewers`.
        """
        if self._viewers[client] >= MAX_VIEWERS_PER_CLIENT or self._viewers.total() >= MAX_VIEWERS:
            raise RequestError("too-many-viewers")

    def close_socket(self, client: str) -> None:
        """Count a socket that closes."""
        self._viewers[client] -= 1
        if self._viewers[client] <= 0:
            del self._viewers[client]


def _bucket_of(
    buckets: OrderedDict[str, TokenBucket], client: str, fresh: Callable[[], TokenBucket]
) -> TokenBucket:
    """Return a client's bucket; those that were not used for longest are forgotten."""
    if client not in buckets:
        buckets[client] = fresh()
    buckets.move_to_end(client)
    if len(buckets) > MAX_CLIENTS:
        buckets.popitem(last=False)
    return buckets[client]
