"""Banned addresses, and accounts that are disabled, as a running server holds them."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from ipaddress import IPv4Network, IPv6Network, ip_network
from typing import Any, Protocol

import sqlalchemy as sa

from tavola.server.accounts.accounts import accounts
from tavola.server.errors import STATUSES, RequestError
from tavola.server.matches.log import Header, format_time, now
from tavola.server.moderation import audit
from tavola.server.ops.rate_limits import MAX_CLIENTS
from tavola.server.storage.tables import metadata

Network = IPv4Network | IPv6Network

MIN_PREFIX = {4: 8, 6: 16}
"""The shortest prefix of a network that can be banned: not half of the internet by mistake."""

CLOSE_CODE = 4000 + STATUSES["banned"]

bans = sa.Table(
    "bans",
    metadata,
    sa.Column("network", sa.String(64), primary_key=True),
    sa.Column("reason", sa.String(200), nullable=False),
    sa.Column("at", sa.String(32), nullable=False),
    # Null: for good.
    sa.Column("until", sa.String(32), nullable=True),
)


class _Socket(Protocol):
    async def close(self, code: int) -> None: ...


def parse_network(text: str) -> str:
    """Return an address or a network as it is stored.

    Raises:
        RequestError: `not-an-address`.

    >>> parse_network("192.0.2.7")
    '192.0.2.7/32'
    """
    try:
        network = ip_network(text.strip(), strict=False)
    except ValueError:
        raise RequestError("not-an-address", address=text) from None
    if network.prefixlen < MIN_PREFIX[network.version]:
        raise RequestError("not-an-address", address=text)
    return str(network)


def shown(network: str) -> str:
    """Return a stored network for readers: a single address without its prefix.

    >>> shown("192.0.2.7/32"), shown("2001:db8::/32")
    ('192.0.2.7', '2001:db8::/32')
    """
    parsed = ip_network(network)
    return str(parsed.network_address if parsed.num_addresses == 1 else parsed)


def ban(connection: sa.Connection, address: str, *, hours: int | None, reason: str) -> str:
    """Ban an address or a network; return it for readers.

    Raises:
        RequestError: `not-an-address`.
    """
    network = parse_network(address)
    until = None if hours is None else format_time(datetime.now(UTC) + timedelta(hours=hours))
    connection.execute(bans.delete().where(bans.c.network == network))
    connection.execute(bans.insert().values(network=network, reason=reason, at=now(), until=until))
    detail = " ".join(part for part in (until, reason) if part)
    audit.record(connection, "ban", subject=shown(network), detail=detail)
    return shown(network)


def unban(connection: sa.Connection, address: str) -> str:
    """Lift the ban of an address or a network; return it for readers.

    Raises:
        RequestError: `not-an-address`, `not-banned`.
    """
    network = parse_network(address)
    if connection.execute(bans.delete().where(bans.c.network == network)).rowcount != 1:
        raise RequestError("not-banned", address=shown(network))
    audit.record(connection, "unban", subject=shown(network))
    return shown(network)


def active(connection: sa.Connection) -> Sequence[sa.Row[tuple[str, str, str, str | None]]]:
    """Return the bans that hold now: network, reason, beginning and end."""
    return connection.execute(
        bans.select().where(bans.c.until.is_(None) | (bans.c.until > now())).order_by(bans.c.at)
    ).all()


def disabled_accounts(connection: sa.Connection) -> frozenset[str]:
    """Return the accounts that the host has disabled."""
    wanted = sa.select(accounts.c.id).where(accounts.c.disabled.is_not(None))
    return frozenset(connection.execute(wanted).scalars())


class Bans:
    """The bans of a running server, and its open sockets."""

    def __init__(self) -> None:
        self._networks: list[tuple[Network, datetime | None]] = []
        self._disabled: frozenset[str] = frozenset()
        self._sockets: defaultdict[str, set[_Socket]] = defaultdict(set)
        self._closing: set[asyncio.Task[None]] = set()
        # The clients that have been checked since the bans changed.
        self._free: set[str] = set()

    @property
    def has_disabled(self) -> bool:
        """Whether any account is disabled."""
        return bool(self._disabled)

    def update(self, rows: Sequence[sa.Row[Any]], disabled: frozenset[str]) -> None:
        """Take up bans, and close the sockets of those who are banned now."""
        self._networks = [
            (ip_network(row.network), row.until and datetime.fromisoformat(row.until))
            for row in rows
        ]
        self._disabled = disabled
        self._free.clear()
        for client in [one for one in self._sockets if self.is_banned(one)]:
            for socket in tuple(self._sockets[client]):
                closing = asyncio.create_task(_close(socket))
                self._closing.add(closing)
                closing.add_done_callback(self._closing.discard)

    def check(self, client: str) -> None:
        """Check that the address of a client is not banned.

        Raises:
            RequestError: `banned`.
        """
        if self.is_banned(client):
            raise RequestError("banned")

    def is_banned(self, client: str) -> bool:
        """Return whether the address of a client is banned."""
        if not self._networks or client in self._free:
            return False
        if self._matches(client):
            return True
        if len(self._free) >= MAX_CLIENTS:
            self._free.clear()
        self._free.add(client)
        return False

    @contextmanager
    def watching(self, client: str, socket: _Socket) -> Iterator[None]:
        """Close a socket when its client is banned."""
        self._sockets[client].add(socket)
        try:
            yield
        finally:
            self._sockets[client].discard(socket)
            if not self._sockets[client]:
                del self._sockets[client]

    def enabled(self, header: Header, held: frozenset[int]) -> frozenset[int]:
        """Return the held seats without those of disabled accounts."""
        if not self._disabled:
            return held
        return frozenset(one for one in held if header.seats[one].account not in self._disabled)

    def _matches(self, client: str) -> bool:
        try:
            network = ip_network(client)
        except ValueError:
            return False
        at = datetime.now(UTC)
        return any(
            network.version == banned.version
            and network.overlaps(banned)
            and (until is None or at < until)
            for banned, until in self._networks
        )


async def _close(socket: _Socket) -> None:
    # The server underneath raises it for a socket that has closed meanwhile.
    with suppress(RuntimeError):
        await socket.close(code=CLOSE_CODE)
