"""Rate limits per client: far above a player's needs, far below what harms others."""

from __future__ import annotations

import time
from collections import Counter, OrderedDict, defaultdict
from dataclasses import dataclass
from functools import cache, lru_cache
from ipaddress import IPv6Address, IPv6Network, ip_address

from tavola.server.errors import ErrorCode, RequestError

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


@dataclass(frozen=True, slots=True, eq=False)
class Limit:
    """How much of something a client may use.

    Attributes:
        rate: How much a second in the long run.
        burst: How much at once.
        code: Why more than that is rejected.
    """

    rate: float
    burst: float
    code: ErrorCode = "too-fast"


# Every limit. Those without another note are of an address.

REQUESTS = Limit(100.0, 1000.0)
LOOP_TIME = Limit(0.2, 0.1)
"""Seconds of the event loop for requests; further ones wait."""
HANDSHAKES = Limit(10.0, 300.0)
"""Sockets that open, which cost more than other requests."""
MESSAGES = Limit(30.0, 300.0)
"""Messages of a socket, valid or not."""
MESSAGE_BYTES = Limit(32 * 1024.0, 512 * 1024.0)
"""Bytes of these messages."""
ALL_MESSAGES = Limit(150.0, 1500.0)
"""Messages of all sockets of an address."""
ALL_MESSAGE_BYTES = Limit(128 * 1024.0, 2048 * 1024.0)
"""Bytes of these messages."""
WORK = Limit(0.5, 600.0, "analysis-limit")
"""Seconds of work that is not an action in a match: analyses, hints, drawings, searches of the
archive, reading of closed matches."""
CHAT = Limit(0.5, 8.0, "chat-limit")
"""Lines and reports of a seat, wherever it writes from."""
SIGN_IN = Limit(1 / 10, 30.0, "too-many-attempts")
"""Passwords tried from an address, but for those of known devices and sessions."""
PASSWORD = Limit(1 / 60, 10.0, "too-many-attempts")
"""Passwords tried for a name from an address, by a known device, or in a session."""
SIGN_UP = Limit(1 / 120, 20.0, "too-many-attempts")
MATCHES = Limit(1000 / 86_400, 1000.0, "match-limit")
"""New matches: a thousand a day."""
TOURNAMENTS = Limit(20 / 86_400, 20.0, "tournament-limit")
"""New tournaments of an address, and of an account: twenty a day."""
TOURNAMENT_ENTRIES = Limit(200 / 86_400, 200.0, "tournament-limit")
"""Players and engines that enter tournaments from an address: a club on one network."""
MAIL = Limit(5 / 3600, 5.0, "mail-limit")
"""Mails with links that an account, or a mailbox, asks for."""
MAIL_REQUESTS = Limit(20 / 3600, 20.0, "mail-limit")
"""The same of an address."""
RELATIONS = Limit(1 / 5, 60.0)
"""Changes of whom an account follows and blocks."""
CHALLENGES = Limit(1 / 20, 20.0)
"""Invitations of people by an account."""
EXPORT = Limit(1 / 300, 5.0, "too-many-attempts")
"""Exports of an account."""

MAX_WAITING_ENGINES = 100
"""Matches of one client in which engines may wait for their turn."""
MAX_WAITING_WORK = 100
"""Pieces of work of one client that may wait for their turn."""
MAX_HASHES = 64
MAX_HASHES_PER_CLIENT = 8
"""Passwords that wait for their hash, or are being hashed."""
MAX_OFFERS = 10
"""Open challenges of an address in the lobby."""
MAX_PLACES_PER_CLIENT = 20
"""Players of an address who wait for opponents: a club on one network."""
MAX_PLACES = 1000
"""Players who wait for opponents."""
MAX_NEW_OFFERS = 3
"""The same, while a new account offers them."""
MAX_VIEWERS_PER_CLIENT = 200
MAX_VIEWERS = 20_000
MAX_ACCOUNT_STREAMS = 8
"""Streams of its events that an account may have open."""
MAX_CLIENTS = 10_000
NETWORKS = 16
"""A network of 48 bits has the limits of 16 networks of 64 bits."""


@lru_cache(MAX_CLIENTS)
def client_key(address: str) -> str:
    """Return the network whose limits an address shares: for IPv6, the first 64 bits."""
    try:
        ip = ip_address(address)
    except ValueError:
        return address
    if not isinstance(ip, IPv6Address):
        return address
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(IPv6Network((int(ip), 64), strict=False))


@lru_cache(MAX_CLIENTS)
def wide_key(client: str) -> str | None:
    """Return the network of 48 bits of a client with an IPv6 network of 64 bits."""
    return str(IPv6Network(client).supernet(new_prefix=48)) if client.endswith("/64") else None


@cache
def _wide(limit: Limit) -> Limit:
    return Limit(limit.rate * NETWORKS, limit.burst * NETWORKS, limit.code)


class TokenBucket:
    """Fills at the rate of a limit up to its burst; every request takes one token by default.

    Args:
        limit: The limit.
        wider: The bucket of a wider network, from which all of this is taken too.
    """

    __slots__ = ("_at", "_left", "_limit", "_wider")

    def __init__(self, limit: Limit, wider: TokenBucket | None = None) -> None:
        self._limit = limit
        self._wider = wider
        self._left = limit.burst
        self._at = time.monotonic()

    def take(self, amount: float = 1.0) -> None:
        """Take tokens out of the bucket.

        Raises:
            RequestError: With the code of the limit, if so much is not left.
        """
        self._fill()
        if self._left < amount:
            raise RequestError(self._limit.code)
        if self._wider is not None:
            self._wider.take(amount)
        self._left -= amount

    def check(self) -> None:
        """Check that there are tokens.

        Raises:
            RequestError: With the code of the limit, if none is left.
        """
        self._fill()
        if self._left <= 0:
            raise RequestError(self._limit.code)
        if self._wider is not None:
            self._wider.check()

    def spend(self, amount: float) -> None:
        """Take tokens, if necessary more than there are: the client gets none until it has some."""
        self._fill()
        self._left -= amount
        if self._wider is not None:
            self._wider.spend(amount)

    @property
    def debt(self) -> float:
        """The seconds until there are tokens again."""
        self._fill()
        wider = 0.0 if self._wider is None else self._wider.debt
        return max(-self._left / self._limit.rate, wider, 0.0)

    def _fill(self) -> None:
        now = time.monotonic()
        limit = self._limit
        self._left = min(limit.burst, self._left + (now - self._at) * limit.rate)
        self._at = now


class RateLimits:
    """The buckets of every client, and the count of open sockets."""

    def __init__(self) -> None:
        self._buckets: defaultdict[Limit, OrderedDict[str, TokenBucket]] = defaultdict(OrderedDict)
        self._viewers: Counter[str | None] = Counter()
        self._wide_viewers: Counter[str | None] = Counter()

    def count_request(self, client: str) -> None:
        """Count a request.

        Raises:
            RequestError: `too-fast`.
        """
        self.bucket(REQUESTS, client).take()

    def count_handshake(self, client: str) -> None:
        """Count a socket that opens.

        Raises:
            RequestError: `too-fast`.
        """
        self.bucket(HANDSHAKES, client).take()

    def check_work(self, client: str) -> None:
        """Check that a client has time left for work that is not an action in a match.

        Raises:
            RequestError: `analysis-limit`.
        """
        self.bucket(WORK, client).check()

    def spend_work(self, client: str, seconds: float) -> None:
        """Count seconds of such work."""
        self.bucket(WORK, client).spend(seconds)

    def count_sign_in(self, client: str, name: str) -> None:
        """Count a password that is tried for a name, whether or not there is such an account.

        Raises:
            RequestError: `too-many-attempts`.
        """
        self.bucket(SIGN_IN, client).take()
        self.count_password(f"{client} {name}")

    def count_password(self, source: str) -> None:
        """Count a password that is tried.

        Args:
            source: A known device, a session, or an address with a name.

        Raises:
            RequestError: `too-many-attempts`.
        """
        self.bucket(PASSWORD, source).take()

    def count_sign_up(self, client: str) -> None:
        """Count an account that is made.

        Raises:
            RequestError: `too-many-attempts`.
        """
        self.bucket(SIGN_UP, client).take()

    def count_match(self, client: str) -> None:
        """Count a new match.

        Raises:
            RequestError: `match-limit`.
        """
        self.bucket(MATCHES, client).take()

    def count_mail(self, client: str, account: str | None, mailbox: str) -> None:
        """Count a mail with a link.

        Args:
            client: The address that asks.
            account: The account that asks.
            mailbox: The e-mail address of the receiver.

        Raises:
            RequestError: `mail-limit`.
        """
        self.bucket(MAIL_REQUESTS, client).take()
        if account is not None:
            self.bucket(MAIL, account).take()
        self.bucket(MAIL, mailbox.lower()).take()

    def count_export(self, account: str) -> None:
        """Count an export of an account.

        Raises:
            RequestError: `too-many-attempts`.
        """
        self.bucket(EXPORT, account).take()

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
        self._wide_viewers[wide_key(client)] += 1

    def check_socket_limit(self, client: str) -> None:
        """Look whether one more may open.

        Raises:
            RequestError: `too-many-viewers`.
        """
        wide = wide_key(client)
        crowded = wide and self._wide_viewers[wide] >= MAX_VIEWERS_PER_CLIENT * NETWORKS
        if (
            crowded
            or self._viewers[client] >= MAX_VIEWERS_PER_CLIENT
            or self._viewers.total() >= MAX_VIEWERS
        ):
            raise RequestError("too-many-viewers")

    def close_socket(self, client: str) -> None:
        """Count a socket that closes."""
        for open_ones, key in ((self._viewers, client), (self._wide_viewers, wide_key(client))):
            open_ones[key] -= 1
            if open_ones[key] <= 0:
                del open_ones[key]

    def bucket(self, limit: Limit, client: str) -> TokenBucket:
        """Return a client's bucket; those that were not used for longest are forgotten."""
        buckets = self._buckets[limit]
        if client not in buckets:
            wide = wide_key(client)
            buckets[client] = TokenBucket(limit, self.bucket(_wide(limit), wide) if wide else None)
        buckets.move_to_end(client)
        if len(buckets) > MAX_CLIENTS:
            buckets.popitem(last=False)
        return buckets[client]


class MessageLimits:
    """The limits of the messages of a socket: its own, and those of its address.

    Args:
        limits: The limits of all addresses.
        client: The address.
    """

    def __init__(self, limits: RateLimits, client: str) -> None:
        self._limits = limits
        self._client = client
        self._messages = TokenBucket(MESSAGES)
        self._bytes = TokenBucket(MESSAGE_BYTES)

    def count(self, size: int = 0, messages: int = 1) -> None:
        """Count messages and their bytes.

        Raises:
            RequestError: `too-fast`.
        """
        self._messages.take(messages)
        self._bytes.take(size)
        self._limits.bucket(ALL_MESSAGES, self._client).take(messages)
        self._limits.bucket(ALL_MESSAGE_BYTES, self._client).take(size)
