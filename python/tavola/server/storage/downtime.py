"""The times at which a server ran: clocks stop while no server runs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
import structlog

from tavola.server.storage.database import Database
from tavola.server.storage.tables import metadata

runs = sa.Table(
    "runs",
    metadata,
    # The times at which this server, or another on the same database, ran.
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("began", sa.String(32), nullable=False),
    sa.Column("alive", sa.String(32), nullable=False),
)

HEARTBEAT_SECONDS = 5.0
"""Seconds between two updates of the time at which the server was last alive."""

GRACE_SECONDS = 20.0
"""Seconds after a start before clocks run again, so that players can reconnect."""

RETENTION = timedelta(days=400)

_log = structlog.get_logger("tavola.uptime")


class Downtime:
    """When this server and earlier ones on the database were running."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._began = datetime.now(UTC)
        self._before: list[tuple[datetime, datetime]] = []
        self._id: int | None = None

    async def start(self) -> None:
        """Store that the server has started."""
        at = self._began.isoformat(timespec="milliseconds")
        oldest = (self._began - RETENTION).isoformat(timespec="milliseconds")

        def write(connection: sa.Connection) -> tuple[int, list[tuple[str, str]]]:
            connection.execute(runs.delete().where(runs.c.alive < oldest))
            rows = connection.execute(sa.select(runs.c.began, runs.c.alive)).all()
            key = connection.execute(runs.insert().values(began=at, alive=at)).inserted_primary_key
            assert key is not None, "one row was written"
            return int(key[0]), [(row.began, row.alive) for row in rows]

        self._id, rows = await self._database.run(write)
        self._before = [
            (datetime.fromisoformat(began), datetime.fromisoformat(alive)) for began, alive in rows
        ]

    async def heartbeat(self) -> None:
        """Note that the server is still there."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        await self._database.run(
            lambda connection: connection.execute(
                runs.update().where(runs.c.id == self._id).values(alive=at)
            )
        )

    async def run(self, needed: Callable[[], bool]) -> None:
        """Note it again and again, as long as it is needed."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            if needed():
                try:
                    await self.heartbeat()
                except Exception:
                    # A missing heartbeat never costs a player time.
                    _log.exception("beat not stored")

    def uptime_since(self, then: str) -> float:
        """Return the seconds since then in which a server ran; below 0 while clocks wait."""
        now, from_ = datetime.now(UTC), datetime.fromisoformat(then)
        grace = timedelta(seconds=GRACE_SECONDS)
        there, until = 0.0, from_
        for began, alive in sorted(self._before):
            begin = max(began + grace, until)
            if alive > begin:
                there += (alive - begin).total_seconds()
                until = alive
        return there + (now - max(self._began + grace, until)).total_seconds()
