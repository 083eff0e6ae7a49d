"""The times at which a server ran: clocks stop while no server runs.

A run ends when the process ends, when it is stopped for a while, and when the wall clock jumps.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
import structlog

from tavola.server.ops.running_time import running
from tavola.server.storage.database import Database
from tavola.server.storage.tables import metadata

runs = sa.Table(
    "runs",
    metadata,
    # The times at which this server, or another on the same database, ran.
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("began", sa.String(32), nullable=False),
    sa.Column("alive", sa.String(32), nullable=False),
    # A process updates the row of its run by its number.
    sqlite_autoincrement=True,
)

HEARTBEAT_SECONDS = 5.0
"""Seconds between two updates of the time at which the server was last alive."""

GRACE_SECONDS = 20.0
"""Seconds after a start before clocks run again, so that players can reconnect."""

JUMP_SECONDS = 2.0
"""Seconds by which the wall clock may differ from the running time between two looks at both."""

RETENTION = timedelta(days=400)

_log = structlog.get_logger("tavola.uptime")


@dataclass(slots=True)
class _Run:
    """A time in which this process ran; `id` is its row, once it has one."""

    began: datetime
    alive: datetime
    id: int | None = None

    def store(self, connection: sa.Connection) -> None:
        """Insert or update its row."""
        times = {
            "began": self.began.isoformat(timespec="milliseconds"),
            "alive": self.alive.isoformat(timespec="milliseconds"),
        }
        if self.id is None:
            key = connection.execute(runs.insert().values(times)).inserted_primary_key
            assert key is not None, "one row was written"
            self.id = int(key[0])
        else:
            connection.execute(runs.update().where(runs.c.id == self.id).values(times))


class Downtime:
    """When this server and earlier ones on the database were running."""

    def __init__(self, database: Database) -> None:
        self._database = database
        now = datetime.now(UTC)
        self._run = _Run(now, now)
        self._running_time = running.uptime()
        self._ended: list[_Run] = []
        self._before: list[tuple[datetime, datetime]] = []

    async def start(self) -> None:
        """Store that the server has started."""
        oldest = (self._run.began - RETENTION).isoformat(timespec="milliseconds")

        def write(connection: sa.Connection) -> list[tuple[str, str]]:
            connection.execute(runs.delete().where(runs.c.alive < oldest))
            rows = connection.execute(sa.select(runs.c.began, runs.c.alive)).all()
            self._run.store(connection)
            return [(row.began, row.alive) for row in rows]

        self._before += [
            (datetime.fromisoformat(began), datetime.fromisoformat(alive))
            for began, alive in await self._database.run(write)
        ]

    async def heartbeat(self) -> None:
        """Note that the server is still there."""
        self._observe()
        ended, run = tuple(self._ended), self._run

        def write(connection: sa.Connection) -> None:
            for one in (*ended, run):
                one.store(connection)

        await self._database.run(write)
        del self._ended[: len(ended)]

    async def run(self, needed: Callable[[], bool]) -> None:
        """Note it again and again, as long as it is needed."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            self._observe()
            if needed():
                try:
                    await self.heartbeat()
                except Exception:
                    # A missing heartbeat never costs a player time.
                    _log.exception("beat not stored")

    def uptime_since(self, then: str) -> float:
        """Return the seconds since then in which a server ran; below 0 while clocks wait."""
        self._observe()
        until = datetime.fromisoformat(then)
        grace = timedelta(seconds=GRACE_SECONDS)
        there = 0.0
        for began, alive in sorted(self._before):
            begin = max(began + grace, until)
            if alive > begin:
                there += (alive - begin).total_seconds()
                until = alive
        return there + (self._run.alive - max(self._run.began + grace, until)).total_seconds()

    def _observe(self) -> None:
        """Look at the clocks; begin another run if they differ."""
        now, running_time = datetime.now(UTC), running.uptime()
        passed = (now - self._run.alive).total_seconds()
        ran, self._running_time = running_time - self._running_time, running_time
        if abs(passed - ran) > JUMP_SECONDS:
            _log.warning("the process was stopped, or the clock has jumped", seconds=passed - ran)
            self._before.append((self._run.began, self._run.alive))
            self._ended.append(self._run)
            self._run = _Run(now, now)
        self._run.alive = now
