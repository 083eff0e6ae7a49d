"""E-mail: notifications to confirmed addresses, and the links by which people choose them."""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Sequence
from email.message import EmailMessage
from typing import Self

import sqlalchemy as sa

from tavola.language import Language
from tavola.messages import Messages
from tavola.server.accounts import links
from tavola.server.accounts.accounts import Account, Accounts, ClientInfo
from tavola.server.accounts.links import Link
from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.outbox import mail_times, texts
from tavola.server.outbox.delivery import Delivery, DeliveryFailed
from tavola.server.outbox.destinations import Accepted, destinations
from tavola.server.outbox.mailer import Mailer, parse_sender, parse_smtp_url
from tavola.server.outbox.sender import Host, Sender
from tavola.server.schema.notifications import Destination, EmailOptions, NewDestination
from tavola.server.storage.database import Database

_ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@([A-Za-z0-9-]+\.)+[A-Za-z0-9-]{2,63}")
"""The addresses that browsers accept in a form, with a dot in the domain."""

MAX_ADDRESS = 254

CONFIRMATION_SECONDS = 24 * 3600
"""For how long the link that confirms an address is valid."""

ONE_CLICK = "List-Unsubscribe=One-Click"
"""The value of `List-Unsubscribe-Post`, and the body of the request. Source: RFC 8058."""


def is_address(text: str) -> bool:
    """Return whether a text is an address that we send to."""
    local = text.partition("@")[0]
    dots = local.startswith(".") or local.endswith(".") or ".." in local
    return len(text) <= MAX_ADDRESS and not dots and _ADDRESS.fullmatch(text) is not None


class Email(Sender):
    """Delivers to confirmed addresses.

    Args:
        database: The database of the addresses.
        accounts: Their passwords and limits.
        mailer: Sends the mail.
        origin: The public address of this server.
    """

    joins = True

    def __init__(self, database: Database, accounts: Accounts, mailer: Mailer, origin: str) -> None:
        self._database = database
        self._accounts = accounts
        self.mailer = mailer
        self.origin = origin

    @classmethod
    async def start(cls, host: Host) -> Self | None:
        """Return the channel, if the host has an SMTP server."""
        settings = host.settings
        if settings.smtp is None:
            return None
        mailer = Mailer(parse_smtp_url(settings.smtp), parse_sender(settings.mail_from))
        return cls(host.database, host.accounts, mailer, host.origin)

    async def accept(self, account: Account, new: NewDestination, visitor: ClientInfo) -> Accepted:
        """Check an address, and the password of the account, which mail can reset."""
        if not is_address(new.address):
            raise RequestError("email-address")
        email = new.email or EmailOptions()
        mail_times.check_options(email)
        await self._accounts.check_password(account, new.password, visitor)
        self._accounts.limits.count_mail(visitor.address, account.id, new.address)
        return Accepted(secret=secrets.token_urlsafe(32), confirmed=False, email=email)

    async def on_added(self, account: Account, added: Destination, language: Language) -> None:
        """Send the link that confirms a new address."""
        await self.send_confirmation(account, added.id, language)

    async def __call__(self, deliveries: Sequence[Delivery]) -> None:
        """Deliver events of one destination in one mail."""
        await self.mailer.send(self._notification(sorted(deliveries)))

    async def close(self) -> None:
        """Close all connections."""
        await self.mailer.close()

    def _notification(self, deliveries: Sequence[Delivery]) -> EmailMessage:
        last = deliveries[-1]
        messages = Messages("tavola.server.outbox", last.language)
        lines = dict.fromkeys(
            f"{texts.title(one)}: {texts.sentence(one)}\n{texts.link(one, self.origin)}"
            for one in deliveries
        )
        subject = f"{texts.title(last)}: {texts.sentence(last)}"
        if len(lines) > 1:
            subject = messages("mail.several", count=len(lines))
        token = links.sign("unsubscribe", last.destination, last.secret)
        footer = messages(
            "mail.footer",
            settings=f"{self.origin}/account",
            stop=f"{self.origin}/email#unsubscribe={token}",
        )
        body = "\n\n".join([*lines, f"-- \n{footer}\n"])
        message = self.mailer.message(
            last.address, subject, body, f"{last.event}.{last.destination}"
        )
        url = f"{self.origin}/api/email/unsubscribe/{token}"
        message["List-Unsubscribe"] = f"<{url}>"
        message["List-Unsubscribe-Post"] = ONE_CLICK
        return message

    def with_link(
        self, kind: str, address: str, language: Language, name: str, path: str
    ) -> EmailMessage:
        """Return a mail that asks a person to open a page.

        Args:
            kind: The key of its text; with `.subject`, of its subject.
            address: The receiver.
            language: Of the text.
            name: The person's.
            path: The page, with a secret after `#`.
        """
        messages = Messages("tavola.server.outbox", language)
        body = messages(kind, name=name, origin=self.origin, link=f"{self.origin}{path}")
        # Mail servers log the number of a mail, which may not tell the secret.
        key = hashlib.sha256(path.encode()).hexdigest()
        return self.mailer.message(address, messages(f"{kind}.subject"), body, key)

    async def send_confirmation(
        self, account: Account, destination: str, language: Language
    ) -> None:
        """Send the link that confirms an address.

        Raises:
            RequestError: `unknown-destination`, `mail-failed`.
        """
        own = (destinations.c.account == account.id) & (destinations.c.id == destination)
        unconfirmed = (destinations.c.channel == "email") & destinations.c.confirmed.is_(None)
        found = await self._database.read(
            lambda connection: connection.execute(
                destinations.select().where(own, unconfirmed)
            ).one_or_none()
        )
        if found is None:
            raise RequestError("unknown-destination")
        token = links.sign("confirm", found.id, found.secret, CONFIRMATION_SECONDS)
        path = f"/email#confirm={token}"
        message = self.with_link("mail.confirm", found.address, language, account.name, path)
        try:
            await self.mailer.send(message)
        except DeliveryFailed:
            raise RequestError("mail-failed") from None

    async def confirm(self, link: str) -> None:
        """Confirm an address by its link, once.

        Raises:
            RequestError: `link-invalid`.
        """

        def write(connection: sa.Connection) -> None:
            parts, found = _find(connection, link)
            links.check("confirm", parts, found.secret)
            here = (destinations.c.id == found.id) & destinations.c.confirmed.is_(None)
            confirmed = destinations.update().where(here).values(confirmed=now())
            if not parts.end or connection.execute(confirmed).rowcount != 1:
                raise RequestError("link-invalid")

        await self._database.run(write)

    async def unsubscribe(self, link: str) -> None:
        """Send no more notifications to an address; it stays confirmed.

        Raises:
            RequestError: `link-invalid`.
        """

        def write(connection: sa.Connection) -> None:
            parts, found = _find(connection, link)
            links.check("unsubscribe", parts, found.secret)
            here = destinations.c.id == found.id
            connection.execute(destinations.update().where(here).values(kinds=[]))
            queue = sa.table("deliveries", sa.column("destination"))
            connection.execute(queue.delete().where(queue.c.destination == found.id))

        await self._database.run(write)


def _find(connection: sa.Connection, text: str) -> tuple[Link, sa.Row[tuple[object, ...]]]:
    """Return the parts of a link, and its destination."""
    link = links.parse(text)
    same = (destinations.c.id == link.subject) & (destinations.c.channel == "email")
    found = connection.execute(destinations.select().where(same)).one_or_none()
    if found is None:
        raise RequestError("link-invalid")
    return link, found
