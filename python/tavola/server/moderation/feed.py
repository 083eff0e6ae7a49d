"""Takes up the acts of the host and of moderators while the server runs.

Every process reads the audit log from the database, so `tavola admin` needs no connection to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import sqlalchemy as sa
import structlog

from tavola.server.accounts.accounts import accounts
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.moderation import announcements, bans
from tavola.server.moderation.audit import audit_log
from tavola.server.moderation.bans import Bans
from tavola.server.storage.database import Database

_log = structlog.get_logger("tavola.moderation")

POLL_SECONDS = 1.0
"""Seconds between two reads of the audit log."""
OVERLAP = 50
"""How many of the latest entries are read again: PostgreSQL can commit a lower number later."""


class Feed:
    """The acts of the host, as this process has applied them.

    Args:
        database: The database.
        registry: The open matches.
        bans: Enforces the bans.
        notify_lobby: Wakes the watchers of the lobby.
        announce: Sends the announcement to open pages.
    """

    def __init__(
        self,
        database: Database,
        registry: MatchRegistry,
        bans: Bans,
        notify_lobby: Callable[[], None],
        announce: Callable[[dict[str, str]], None],
    ) -> None:
        self._database = database
        self._registry = registry
        self._bans = bans
        self._notify_lobby = notify_lobby
        self._announce = announce
        self._seen: set[int] = set()
        self.announcement: dict[str, str] = {}

    async def start(self) -> None:
        """Take up what holds now."""
        self._seen = {row.id for row in await self._database.read(_latest)}
        await self._take_up()

    async def run(self) -> None:
        """Take up new acts, until it is cancelled."""
        while True:
            await asyncio.sleep(POLL_SECONDS)
            try:
                await self.poll()
            except sa.exc.SQLAlchemyError:
                # The next time the database may answer again.
                _log.exception("audit log not read")

    async def poll(self) -> None:
        """Take up the acts since the last time."""
        rows = await self._database.read(_latest)
        new = [row for row in rows if row.id not in self._seen]
        if not new:
            return
        await self._take_up()
        for row in new:
            await self._apply(row)
            self._seen.add(row.id)
        self._seen &= {row.id for row in rows}

    async def _take_up(self) -> None:
        def read(
            connection: sa.Connection,
        ) -> tuple[list[sa.Row[tuple[object, ...]]], frozenset[str], dict[str, str]]:
            return (
                list(bans.active(connection)),
                bans.disabled_accounts(connection),
                announcements.current(connection),
            )

        rows, disabled, self.announcement = await self._database.read(read)
        self._bans.update(rows, disabled)
        self._announce(self.announcement)

    async def _apply(self, row: sa.Row[tuple[object, ...]]) -> None:
        """Bring the open matches up to date with an act."""
        match row.act:
            case "erase":
                await self._registry.erase_account_locally(str(row.detail))
                self._notify_lobby()
            case "disable":
                self._notify_lobby()
            case "rename":
                wanted = sa.select(accounts.c.name).where(accounts.c.id == row.account)
                name = await self._database.read(
                    lambda connection: connection.execute(wanted).scalar()
                )
                if name is not None:
                    await self._registry.rename_account(str(row.account), str(name))
                    self._notify_lobby()
            case "delete-line":
                live_match = self._registry.get_open(str(row.match))
                if live_match is not None:
                    live_match.chat.invalidate()
                    await live_match.chat.send()


def _latest(connection: sa.Connection) -> list[sa.Row[tuple[object, ...]]]:
    wanted = audit_log.select().order_by(audit_log.c.id.desc()).limit(OVERLAP)
    return list(reversed(connection.execute(wanted).all()))
