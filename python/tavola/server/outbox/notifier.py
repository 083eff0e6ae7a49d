"""The channels that the host has switched on, and the destinations of accounts."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection

import msgspec

from tavola.language import Language
from tavola.server.accounts.accounts import Account, Accounts, ClientInfo
from tavola.server.errors import RequestError
from tavola.server.outbox import destinations, mail_times, push
from tavola.server.outbox.deliveries import CHANNELS, DeliveryQueue, Sender
from tavola.server.outbox.email import Email, is_address
from tavola.server.outbox.mailer import Mailer, parse_sender, parse_smtp_url
from tavola.server.outbox.public_http import PublicHttp
from tavola.server.outbox.push import Push
from tavola.server.outbox.recovery import Recovery
from tavola.server.outbox.webhook import Webhook
from tavola.server.schema.notifications import (
    BELL,
    Channel,
    Destination,
    Destinations,
    DestinationSettings,
    EmailOptions,
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
        accounts: The accounts, for their limits and passwords.
        http: The client for public hosts.
        senders: By channel, those that the host has switched on.
    """

    def __init__(
        self,
        database: Database,
        accounts: Accounts,
        http: PublicHttp,
        senders: dict[Channel, Sender],
    ) -> None:
        self._database = database
        self._accounts = accounts
        self._recovery = Recovery(database, accounts)
        self._http = http
        self._senders = senders
        self._queue = DeliveryQueue(database, {str(name): one for name, one in senders.items()})

    @classmethod
    async def start(cls, database: Database, accounts: Accounts, settings: Settings) -> Notifier:
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
        if senders:
            http.prepare()
        if settings.smtp is not None:
            mailer = Mailer(parse_smtp_url(settings.smtp), parse_sender(settings.mail_from))
            senders["email"] = Email(database, mailer, origin)
        return cls(database, accounts, http, senders)

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
        if "email" in self._senders:
            await self.email.mailer.close()
        await self._http.close()

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
        """Add a destination to an account; a new e-mail address receives its link.

        Raises:
            RequestError: `channel-off`, `destination-address`, `push-keys`,
                `too-many-destinations`, `signed-out`; for an e-mail address also `email-address`,
                `time-zone`, `wrong-password`, `too-many-attempts`, `sign-in-busy`, `mail-limit`,
                `mail-failed`.
        """
        if new.channel not in self._senders:
            raise RequestError("channel-off", channel=new.channel)
        shown = email = None
        if new.channel == "email":
            if not is_address(new.address):
                raise RequestError("email-address")
            email = new.email or EmailOptions()
            mail_times.check_options(email)
            await self._accounts.check_password(account, new.password, visitor)
            self._accounts.limits.count_mail(visitor.address, account.id, new.address)
            secret = secrets.token_urlsafe(32)
        elif not self._http.is_allowed(new.address):
            raise RequestError("destination-address")
        elif new.channel == "push":
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
                agent="" if new.channel == "email" else visitor.agent,
                email=email,
            )
        )
        if new.channel == "email":
            await self.email.send_confirmation(account, added.id, language)
        return NewDestinationResult(added, shown)

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
