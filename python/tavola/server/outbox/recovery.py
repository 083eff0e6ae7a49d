"""Recovery of a password by a confirmed e-mail address."""

from __future__ import annotations

import asyncio

import sqlalchemy as sa
import structlog

from tavola.server.accounts.accounts import RECOVERY_SECONDS, Accounts, accounts, recovery_link
from tavola.server.errors import RequestError
from tavola.server.outbox.delivery import AfterFailure, DeliveryFailed
from tavola.server.outbox.destinations import destinations
from tavola.server.outbox.email import Email, is_address
from tavola.server.storage.database import Database

MAX_ACCOUNTS = 5
"""For how many accounts of an address mail is sent."""

MAX_PENDING = 100
"""How many requests are answered by mail at the same time."""

RETRY_SECONDS = (5, 30, 120)
"""The wait after each failed attempt; the person can ask again."""

_log = structlog.get_logger("tavola.outbox")


class Recovery:
    """Sends the links that set a new password.

    Args:
        database: The database of the addresses.
        accounts: Their limits.
    """

    def __init__(self, database: Database, accounts: Accounts) -> None:
        self._database = database
        self._limits = accounts.limits
        self._sending: set[asyncio.Task[None]] = set()

    def request(self, email: Email, address: str, client: str) -> None:
        """Send links to an address, later: the answer is the same without accounts.

        Raises:
            RequestError: `email-address`, `mail-limit`.
        """
        if not is_address(address):
            raise RequestError("email-address")
        self._limits.count_mail(client, None, address)
        if len(self._sending) >= MAX_PENDING:
            raise RequestError("mail-limit")
        sending = asyncio.create_task(self._send(email, address))
        self._sending.add(sending)
        sending.add_done_callback(self._sending.discard)

    async def close(self) -> None:
        """Give up what is not sent."""
        for sending in self._sending:
            sending.cancel()
        await asyncio.gather(*self._sending, return_exceptions=True)

    async def _send(self, email: Email, address: str) -> None:
        same = sa.func.lower(destinations.c.address) == address.lower()
        is_confirmed = (destinations.c.channel == "email") & destinations.c.confirmed.is_not(None)
        wanted = (
            sa.select(accounts, destinations.c.address, destinations.c.language)
            .join_from(destinations, accounts)
            .where(same, is_confirmed)
            .limit(MAX_ACCOUNTS)
        )
        found = await self._database.read(lambda connection: connection.execute(wanted).all())
        for row in found:
            await self._send_link(email, row)

    async def _send_link(self, email: Email, row: sa.Row[tuple[object, ...]]) -> None:
        path = f"/recovery#{recovery_link(row.id, row.password, RECOVERY_SECONDS)}"
        message = email.with_link("mail.recover", row.address, row.language, row.name, path)
        for wait in (*RETRY_SECONDS, 0):
            try:
                await email.mailer.send(message)
            except DeliveryFailed as failure:
                _log.info("not delivered", channel="email", error=str(failure))
                if failure.then is not AfterFailure.TRY_AGAIN:
                    return
                await asyncio.sleep(wait)
            else:
                return
