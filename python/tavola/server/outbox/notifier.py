"""The channels that the host has switched on, and the destinations of accounts."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import msgspec

from tavola.language import Language
from tavola.server.accounts.accounts import Account
from tavola.server.errors import RequestError
from tavola.server.outbox import destinations, push
from tavola.server.outbox.deliveries import DeliveryQueue, Sender
from tavola.server.outbox.public_http import PublicHttp
from tavola.server.outbox.push import Push
from tavola.server.outbox.webhook import Webhook
from tavola.server.schema.notifications import (
    Channel,
    Destination,
    Destinations,
    Kind,
    NewDestination,
    NewDestinationResult,
)
from tavola.server.settings import Settings
from tavola.server.storage.database import Database

DEFAULT_CONTACT = "mailto:postmaster@localhost"
"""The contact for push services of a server without a public address."""


class Notifier:
    """The channels of a running server.

    Args:
        database: The database of the deliveries.
        http: The client for public hosts.
        senders: By channel, those that the host has switched on.
    """

    def __init__(
        self, database: Database, http: PublicHttp, senders: dict[Channel, Sender]
    ) -> None:
        self._database = database
        self._http = http
        self._senders = senders
        self._queue = DeliveryQueue(database, {str(name): one for name, one in senders.items()})

    @classmethod
    async def start(cls, database: Database, settings: Settings) -> Notifier:
        """Return the channels that the settings switch on."""
        http = PublicHttp(allow_private=settings.private_webhooks)
        origin = next(iter(settings.origins), "")
        senders: dict[Channel, Sender] = {}
        if settings.push:
            key = await database.run(push.stored_key)
            contact = origin if origin.startswith("https:") else DEFAULT_CONTACT
            senders["push"] = Push(http, key, contact)
        if settings.webhooks:
            senders["webhook"] = Webhook(http, origin)
        return cls(database, http, senders)

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels that are switched on."""
        return tuple(self._senders)

    async def run(self) -> None:
        """Make deliveries, until it is cancelled."""
        await self._queue.run()

    async def close(self) -> None:
        """Close all connections."""
        await self._http.close()

    async def count_waiting(self) -> dict[str, tuple[int, float]]:
        """Return the number of waiting deliveries and the age of the oldest, by channel."""
        return await self._queue.count_waiting() if self._senders else {}

    async def destinations(self, account: Account) -> tuple[Destination, ...]:
        """Return the destinations of an account."""
        return await self._database.read(
            lambda connection: destinations.of_account(connection, account.id)
        )

    async def overview(self, account: Account) -> Destinations:
        """Return the destinations of an account, and the channels that are switched on."""
        sender = self._senders.get("push")
        key = sender.public_key if isinstance(sender, Push) else None
        return Destinations(self.channels, key, await self.destinations(account))

    async def add(
        self, account: Account, new: NewDestination, language: Language, agent: str
    ) -> NewDestinationResult:
        """Add a destination to an account.

        Raises:
            RequestError: `channel-off`, `destination-address`, `push-keys`,
                `too-many-destinations`, `signed-out`.
        """
        if new.channel not in self._senders:
            raise RequestError("channel-off", channel=new.channel)
        if not self._http.is_allowed(new.address):
            raise RequestError("destination-address")
        shown = None
        if new.channel == "push":
            if new.keys is None:
                raise RequestError("push-keys")
            push.check_keys(new.keys)
            secret = msgspec.json.encode(new.keys).decode()
        else:
            secret = shown = secrets.token_urlsafe(32)
        added = await self._database.run(
            lambda connection: destinations.add(
                connection,
                account.id,
                new.channel,
                new.address,
                secret,
                kinds=new.kinds,
                language=language,
                agent=agent,
            )
        )
        return NewDestinationResult(added, shown)

    async def set_kinds(self, account: Account, destination: str, kinds: Sequence[Kind]) -> None:
        """Choose the kinds that go to a destination.

        Raises:
            RequestError: `unknown-destination`.
        """
        await self._database.run(
            lambda connection: destinations.set_kinds(connection, account.id, destination, kinds)
        )

    async def remove(self, account: Account, destination: str) -> None:
        """Delete a destination.

        Raises:
            RequestError: `unknown-destination`.
        """
        await self._database.run(
            lambda connection: destinations.remove(connection, account.id, destination)
        )
