"""Deletes old matches in which no seat ever acted."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
import structlog

from tavola.server.live.chat import chat, reports
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.log import format_time
from tavola.server.storage.database import Database
from tavola.server.storage.tables import events, matches, metadata

__all__ = ["purge"]

UNPLAYED_DAYS = 60
"""A match in which no seat acted is deleted after these days. All other matches stay."""
BATCH = 100
PAUSE_SECONDS = 0.1
"""The pause after each batch, so that players do not notice."""
START_SECONDS = 60
"""The pause after the start, while the players reconnect."""
INTERVAL_SECONDS = 6 * 3600

_log = structlog.get_logger("tavola.matches")

ACTS = ("action", "late", "resign", "flag")
"""The events of a match in which a seat acted."""

Place = tuple[str, str]
"""The time of creation and the id of a match."""

START: Place = ("", "")


async def purge(database: Database, registry: MatchRegistry) -> None:
    """Delete unplayed matches when they are old, until it is cancelled.

    Args:
        database: The database of the matches.
        registry: The open matches, which stay.
    """
    await asyncio.sleep(START_SECONDS)
    after = START
    while True:
        try:
            after = await purge_all(database, registry, after)
        except sa.exc.SQLAlchemyError:
            # The next time the database may answer again.
            _log.exception("unplayed matches not deleted")
        await asyncio.sleep(INTERVAL_SECONDS)


async def purge_all(database: Database, registry: MatchRegistry, after: Place) -> Place:
    """Delete all unplayed old matches that are not open.

    Args:
        database: The database of the matches.
        registry: The open matches, which stay.
        after: The match from which on to look.

    Returns:
        The match from which on to look the next time: before the first that was open now.
    """
    again: Place | None = None
    while True:
        reached, passed = await purge_batch(database, registry, after)
        again = again or passed
        if reached is None:
            return again or after
        after = reached
        await asyncio.sleep(PAUSE_SECONDS)


async def purge_batch(
    database: Database, registry: MatchRegistry, after: Place
) -> tuple[Place | None, Place | None]:
    """Delete the unplayed among the next old matches.

    Args:
        database: The database of the matches.
        registry: The open matches, which stay.
        after: The last match that was looked at.

    Returns:
        The last match that was looked at now, if there is another, and where to look again: before
        the first unplayed one that is open, if there is one.
    """
    before = format_time(datetime.now(UTC) - timedelta(days=UNPLAYED_DAYS))
    place = sa.tuple_(matches.c.created, matches.c.id)
    wanted = (
        sa.select(matches.c.created, matches.c.id)
        .where(place > sa.tuple_(*map(sa.literal, after)), matches.c.created < before)
        .order_by(matches.c.created, matches.c.id)
        .limit(BATCH)
    )
    opened = frozenset(registry.open_ids())

    def write(connection: sa.Connection) -> tuple[Place | None, Place | None, int]:
        old = [(row.created, row.id) for row in connection.execute(wanted)]
        known = {match for _, match in old}
        acted = events.c.match.in_(known) & events.c.kind.in_(ACTS)
        unplayed = known - set(connection.execute(sa.select(events.c.match).where(acted)).scalars())
        _delete(connection, unplayed - opened)
        stay = (created for created, match in old if match in unplayed & opened)
        passed = next(((created, "") for created in stay), None)
        return old[-1] if old else None, passed, len(unplayed - opened)

    reached, passed, count = await database.run(write)
    if count:
        _log.info("unplayed matches deleted", matches=count)
    return reached, passed


def _delete(connection: sa.Connection, ids: set[str]) -> None:
    """Delete matches, with all that other tables store about them."""
    lines = sa.select(chat.c.id).where(chat.c.match.in_(ids))
    connection.execute(reports.delete().where(reports.c.line.in_(lines)))
    for table in reversed(metadata.sorted_tables):
        column = matches.c.id if table is matches else table.c.get("match")
        if column is not None:
            connection.execute(table.delete().where(column.in_(ids)))
