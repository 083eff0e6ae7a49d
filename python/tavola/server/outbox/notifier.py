"""The channels that the host has switched on, and the destinations of accounts."""

from __future__ import annotations

from collections.abc import Callable, Collection

from tavola.language import Language
from tavola.server.accounts.accounts import Account, Accounts, ClientInfo
from tavola.server.errors import RequestError
from tavola.server.outbox import destinations, mail_times
from tavola.server.outbox.deliveries import CHANNELS, DeliveryQueue
from tavola.server.outbox.email import Email
from tavola.server.outbox.public_http import PublicHttp
from tavola.server.outbox.push import Push
from tavola.server.outbox.recovery import Recovery
from tavola.server.outbox.sender import Host, Sender
from tavola.server.outbox.webhook import Webhook
from tavola.server.schema.notifications import (
    BELL,
    Channel,
    Destination,
    Destinations,
    DestinationSettings,
    NewDestination,
    NewDestinationResult,
)
from tavola.server.settings import Settings
from tavola.server.storage.database import Database

SENDERS: dict[Channel, type[Sender]] = {"push": Push, "email": Email, "webhook": Webhook}
"""All channels, in the order of the account page."""


class Notifier:
    """The channels of a running server.

    Args:
        host: What they need.
        senders: By channel, those that the host has switched on.
    """

    def __init__(self, host: Host, senders: dict[Channel, Sender]) -> None:
        self._host = host
        self._database = host.database
        self._recovery = Recovery(host.database, host.accounts)
        self._senders = senders
        self._queue = DeliveryQueue(host.database, senders)

    @classmethod
    async def start(cls, database: Database, accounts: Accounts, settings: Settings) -> Notifier:
        """Return the channels that the settings switch on."""
        http = PublicHttp(allow_private=settings.private_webhooks)
        host = Host(database, accounts, settings, http)
        started = {name: await sender.start(host) for name, sender in SENDERS.items()}
        return cls(host, {name: sender for name, sender in started.items() if sender is not None})

    @property
    def channels(self) -> tuple[Channel, ...]:
        """The channels that are switched on."""
        return tuple(self._senders)

    @property
    def email(self) -> Email:
        """The channel of mail.

        Raises:
            RequestError: `channel-off`.
        """
        sender = self._senders.get("email")
        if not isinstance(sender, Email):
            raise RequestError("channel-off", channel="email")
        return sender

    def request_recovery(self, address: str, client: str) -> None:
        """Send the links that set a new password to a confirmed address.

        Raises:
            RequestError: `channel-off`, `email-address`, `mail-limit`.
        """
        self._recovery.request(self.email, address, client)

    async def run(self, listening: Callable[[], Collection[str]]) -> None:
        """Make deliveries, until it is cancelled.

        Args:
            listening: Returns the accounts whose streams this process serves.
        """
        await self._queue.run(listening)

    async def close(self) -> None:
        """Close all connections."""
        await self._recovery.close()
        for sender in self._senders.values():
            await sender.close()
        await self._host.http.close()

    async def count_waiting(self) -> dict[Channel, tuple[int, float]]:
        """Return the number of waiting deliveries and the age of the oldest, by channel.

        A channel that is switched off has none: its deliveries wait for the host.
        """
        waiting = await self._queue.count_waiting() if self._senders else {}
        counts = dict.fromkeys(CHANNELS, (0, 0.0))
        return counts | {name: waiting[name] for name in self._senders if name in waiting}

    async def destinations(self, account: Account) -> tuple[Destination, ...]:
        """Return the destinations of an account."""
        return await self._database.read(
            lambda connection: destinations.of_account(connection, account.id)
        )

    async def overview(self, account: Account) -> Destinations:
        """Return the destinations of an account, and the channels that are switched on."""
        sender = self._senders.get("push")
        key = sender.public_key if isinstance(sender, Push) else None
        found = await self.destinations(account)
        if not any(one.id == BELL for one in found):
            found = (destinations.UNCHOSEN_BELL, *found)
        return Destinations(self.channels, key, found)

    async def add(
        self,
        account: Account,
        new: NewDestination,
        language: Language,
        visitor: ClientInfo,
    ) -> NewDestinationResult:
        """Add a destination to an account.

        Raises:
            RequestError: `channel-off`, `too-many-destinations`, `signed-out`, and those of its
                channel: `destination-address`, `push-keys`, `email-address`, `time-zone`,
                `wrong-password`, `too-many-attempts`, `sign-in-busy`, `mail-limit`, `mail-failed`.
        """
        sender = self._senders.get(new.channel)
        if sender is None:
            raise RequestError("channel-off", channel=new.channel)
        accepted = await sender.accept(account, new, visitor)
        added = await self._database.run(
            lambda connection: destinations.add(connection, account.id, new, accepted, language)
        )
        await sender.on_added(account, added, language)
        return NewDestinationResult(added, accepted.secret if accepted.shown else None)

    async def change(self, account: Account, destination: str, chosen: DestinationSettings) -> None:
        """Choose the kinds that go to a destination, and when an e-mail address receives them.

        Raises:
            RequestError: `unknown-destination`, `time-zone`, `signed-out`.
        """
        kinds, email = chosen.kinds, chosen.email
        if email is not None:
            mail_times.check_options(email)
        await self._database.run(
            lambda connection: destinations.change(
                connection, account.id, destination, kinds, email
            )
        )

    async def remove(self, account: Account, destination: str) -> None:
        """Delete a destination.

        Raises:
            RequestError: `unknown-destination`.
        """
        await self._database.run(
            lambda connection: destinations.remove(connection, account.id, destination)
        )
