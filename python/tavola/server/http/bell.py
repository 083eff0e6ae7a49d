"""The bell: sends unread notifications to the pages that are open.

Every process reads the events that became due from the database, so a page learns of an event that
another process has stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import sqlalchemy as sa
import structlog
from litestar import WebSocket

from tavola.server.accounts.accounts import Accounts
from tavola.server.accounts.seat_tokens import hash_secret
from tavola.server.errors import RequestError
from tavola.server.http.authentication import current_account
from tavola.server.http.one_way_socket import receive_hello, send_until_closed
from tavola.server.http.socket_limit import serve_socket
from tavola.server.live.account_matches import changed_after
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.outbox import events
from tavola.server.outbox.events import Reader
from tavola.server.schema.notifications import NotificationList, NotificationsHello
from tavola.server.storage.database import Database

_log = structlog.get_logger("tavola.outbox")

POLL_SECONDS = 0.5
"""Seconds between two reads of the events that became due, while pages are open."""
WINDOW = timedelta(seconds=10)
"""How much later than its time an event may be committed, or another process's clock be."""
CLEAN_SECONDS = 3600
"""Seconds between two deletions of old events."""

_decode = msgspec.json.Decoder(NotificationsHello)


class Watcher:
    """A page or a stream that is open.

    Args:
        reader: Whose events it is for.
        matches: Whether it also waits for changes of the account's matches.
    """

    def __init__(self, reader: Reader, *, matches: bool) -> None:
        self.reader = reader
        self.matches = matches
        self.changed = asyncio.Event()

    async def wait(self, seconds: float | None = None) -> bool:
        """Wait for a change; return whether there is one in this time."""
        try:
            async with asyncio.timeout(seconds):
                await self.changed.wait()
        except TimeoutError:
            return False
        self.changed.clear()
        return True


class Bell:
    """The pages that are open, and what became due for them.

    Args:
        database: The database of the events.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._watchers: set[Watcher] = set()
        self._woken = asyncio.Event()
        # The events that have been sent, within the window.
        self._seen: set[int] = set()
        # The changes of matches that have been announced, within the window.
        self._seen_matches: set[tuple[str, str, int]] = set()
        self._announcement: dict[str, str] = {}

    @property
    def accounts(self) -> frozenset[str]:
        """The accounts whose pages are open."""
        readers = (watcher.reader.account for watcher in self._watchers)
        return frozenset(account for account in readers if account is not None)

    async def unread(self, reader: Reader, *, every: bool = False) -> NotificationList:
        """Return a reader's unread notifications, with the announcement of the host.

        Args:
            reader: Whose notifications.
            every: Whether to return also the kinds that its bell does not show.
        """
        found = await self._database.read(
            lambda connection: events.unread(connection, reader, every=every)
        )
        return msgspec.structs.replace(found, announcement=self._announcement)

    def announce(self, texts: dict[str, str]) -> None:
        """Send the announcement of the host to all open pages, if it has changed."""
        if texts != self._announcement:
            self._announcement = texts
            for watcher in self._watchers:
                watcher.changed.set()

    async def mark_read(self, reader: Reader, ids: tuple[int, ...] | None) -> NotificationList:
        """Mark notifications as read, and return the unread ones."""
        await self._database.write([events.mark_read(reader, ids)])
        self.refresh(reader)
        return await self.unread(reader)

    async def mark_streamed(self, account: str, ids: Collection[int]) -> None:
        """Note that a program of an account has received notifications on a stream."""
        if ids:
            await self._database.write([events.mark_streamed(account, ids)])
            self.refresh(Reader(account, frozenset()))

    def refresh(self, reader: Reader) -> None:
        """Wake the other pages of a reader."""
        for watcher in self._watchers:
            same = watcher.reader.account is not None and watcher.reader.account == reader.account
            if same or watcher.reader.holders & reader.holders:
                watcher.changed.set()

    async def watch(self, reader: Reader) -> AsyncIterator[NotificationList]:
        """Yield the unread notifications now, and again after every change."""
        with self.watching(reader) as watcher:
            last: NotificationList | None = None
            while True:
                latest = await self.unread(reader)
                if latest != last:
                    last = latest
                    yield latest
                await watcher.wait()

    @contextmanager
    def watching(self, reader: Reader, *, matches: bool = False) -> Iterator[Watcher]:
        """Wake a watcher at every change, as long as the block runs."""
        watcher = Watcher(reader, matches=matches)
        self._watchers.add(watcher)
        self._woken.set()
        try:
            yield watcher
        finally:
            self._watchers.discard(watcher)

    async def run(self) -> None:
        """Wake the pages whose events became due, until it is cancelled."""
        loop = asyncio.get_running_loop()
        clean_at = loop.time()
        while True:
            try:
                if loop.time() >= clean_at:
                    clean_at = loop.time() + CLEAN_SECONDS
                    await self._database.run(events.delete_old)
                if self._watchers:
                    await self._poll()
            except (sa.exc.SQLAlchemyError, RequestError):
                # The next time the database may answer again.
                _log.exception("outbox not read")
            if not self._watchers:
                self._woken.clear()
                wait = max(clean_at - loop.time(), POLL_SECONDS)
                try:
                    async with asyncio.timeout(wait):
                        await self._woken.wait()
                except TimeoutError:
                    continue
            await asyncio.sleep(POLL_SECONDS)

    async def _poll(self) -> None:
        since = datetime.now(UTC) - WINDOW
        await self._poll_matches(since)
        due = await self._database.read(lambda connection: events.became_due(connection, since))
        fresh = [person for number, person in due.items() if number not in self._seen]
        self._seen = set(due)
        if not fresh:
            return
        for watcher in self._watchers:
            if any(map(watcher.reader.reads, fresh)):
                watcher.changed.set()

    async def _poll_matches(self, since: datetime) -> None:
        """Wake the watchers in whose matches something changed."""
        waiting = [watcher for watcher in self._watchers if watcher.matches]
        if not waiting:
            return
        changed = set(
            await self._database.read(lambda connection: changed_after(connection, since))
        )
        accounts = {account for account, *_ in changed - self._seen_matches}
        self._seen_matches = changed
        for watcher in waiting:
            if watcher.reader.account in accounts:
                watcher.changed.set()


def reader_of(account: str | None, tokens: list[str] | tuple[str, ...]) -> Reader:
    """Return the reader with an account, tokens of seats, or both."""
    return Reader(account, frozenset(map(hash_secret, tokens)))


async def serve(
    socket: WebSocket[Any, Any, Any], bell: Bell, accounts: Accounts, limits: RateLimits
) -> None:
    """Send the unread notifications to a client and every change of them.

    The client sends the tokens of its seats first, and nothing afterwards.
    """
    await serve_socket(socket, limits, _serve(socket, bell, accounts))


async def _serve(socket: WebSocket[Any, Any, Any], bell: Bell, accounts: Accounts) -> None:
    hello = await receive_hello(socket, _decode)
    if hello is not None:
        account = await current_account(socket, accounts)
        reader = reader_of(None if account is None else account.id, hello.tokens)
        await send_until_closed(socket, bell.watch(reader))
