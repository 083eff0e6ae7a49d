"""Finished matches and their positions, stored when a match ends.

Aborted matches are left out. Statistics count every match. Lists leave out matches that several
persons played by link alone: only the accounts in them find them.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping

import sqlalchemy as sa
import structlog

import tavola
from tavola.server.errors import RequestError
from tavola.server.live.load import MatchLoader
from tavola.server.matches.log import Header
from tavola.server.matches.match import Match
from tavola.server.snapshots.snapshot import counts, match_result
from tavola.server.storage.database import Database, Statement
from tavola.server.storage.tables import metadata

__all__ = [
    "fill",
    "finished",
    "is_listed",
    "kind_of",
    "on_over",
    "played",
    "position_key",
    "waiting",
]

BATCH = 20
PAUSE_SECONDS = 0.05
"""The pause after each old match that is filled in, so that players do not notice."""

_log = structlog.get_logger("tavola.archive")

finished = sa.Table(
    "finished",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    # Game, rules and options: only matches of one kind have comparable positions.
    sa.Column("kind", sa.String(255), nullable=False),
    sa.Column("game", sa.String(64), nullable=False),
    sa.Column("ended", sa.String(32), nullable=False),
    sa.Column("length", sa.Integer, nullable=False),
    # One bit for each seat that won.
    sa.Column("winners", sa.Integer, nullable=False),
    sa.Column("reason", sa.String(64), nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Index("ix_finished_ended", "game", "ended", "match"),
    # A search counts its matches in this index alone.
    sa.Index("ix_finished_counts", "game", "kind", "listed", "length", "winners"),
)

played = sa.Table(
    "played",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("ply", sa.Integer, primary_key=True),
    sa.Column("key", sa.String(16), nullable=False),
    # Null after the last action.
    sa.Column("token", sa.String(255), nullable=True),
    sa.Column("winners", sa.Integer, nullable=False),
    sa.Index("ix_played_key", "key", "token", "winners", "match"),
)

waiting = sa.Table(
    "archive_queue",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
)
"""Matches from before the archive, which `fill` has not read yet."""


def kind_of(game: str, rules_version: int, options: Mapping[str, object]) -> str:
    """Return the name of matches with equal game, rules and options.

    >>> kind_of("potlatch", 1, {"layout": "row", "actions": 2})
    'potlatch 1 actions=2 layout=row'
    """
    given = (f"{name}={options[name]}" for name in sorted(options) if name != "rules_version")
    return " ".join([game, str(rules_version), *given])


def position_key(kind: str, key: str) -> str:
    """Return the key of a position among those of all kinds.

    Args:
        kind: The kind of the match.
        key: The key of the state, in hexadecimal.
    """
    return hashlib.blake2b(f"{kind} {key}".encode(), digest_size=8).hexdigest()


def is_listed(header: Header) -> bool:
    """Return whether the lists show a match to everyone; `public_matches` says the same in SQL."""
    persons = sum(seat.kind == "person" for seat in header.seats)
    return header.rated or header.offered or persons <= 1


def on_over(match: Match, *, was_over: bool) -> list[Statement]:
    """Return what to write with a match's latest events: a match that has ended is stored.

    Args:
        match: The match as they leave it.
        was_over: Whether it was over before.
    """
    return [_store(match)] if match.status == "over" and not was_over else []


def _store(match: Match) -> Statement:
    """Return the statement that stores a match that is over, and takes it off the queue."""
    result, header, steps = match_result(match), match.header, match.history
    kind = kind_of(header.game, header.rules_version, header.options)
    winners = sum(1 << seat for seat in result.winners)
    row = {
        "match": header.id,
        "kind": kind,
        "game": header.game,
        "ended": match.last_event_at or header.created,
        "length": len(steps),
        "winners": winners,
        "reason": result.reason[:64],
        "listed": is_listed(header),
    }
    rows, seen = [], set[tuple[str, str | None]]()
    for ply in range(len(steps) + 1):
        key = position_key(kind, match.position_after(ply).key)
        token = steps[ply].token if ply < len(steps) else None
        # A repeated position counts once for each different action.
        if (key, token) not in seen:
            seen.add((key, token))
            rows.append(
                {"match": header.id, "ply": ply, "key": key, "token": token, "winners": winners}
            )

    def store(connection: sa.Connection) -> None:
        connection.execute(waiting.delete().where(waiting.c.match == header.id))
        connection.execute(played.delete().where(played.c.match == header.id))
        connection.execute(finished.delete().where(finished.c.match == header.id))
        if counts(match):
            connection.execute(finished.insert(), [row])
            connection.execute(played.insert(), rows)

    return store


async def fill(database: Database, loader: MatchLoader) -> None:
    """Store the matches that ended before the archive existed, one after the other.

    Args:
        database: The database of the matches.
        loader: Loads them.
    """
    while ids := await database.read(_next):
        for match_id in ids:
            await _fill_one(database, loader, match_id)
            await asyncio.sleep(PAUSE_SECONDS)


def _next(connection: sa.Connection) -> list[str]:
    return list(connection.execute(sa.select(waiting.c.match).limit(BATCH)).scalars())


async def _fill_one(database: Database, loader: MatchLoader, match_id: str) -> None:
    store: Statement | None = None
    try:
        match = await loader.load(match_id)
        if match.status == "over":
            store = _store(match)
    except (RequestError, tavola.TavolaError):
        # A match that cannot be opened has no positions to count.
        _log.warning("not in the archive", match=match_id)

    def write(connection: sa.Connection) -> None:
        mine = connection.execute(waiting.delete().where(waiting.c.match == match_id))
        # Another process, or the end of the match, may have been first.
        if mine.rowcount == 1 and store is not None:
            store(connection)

    await database.run(write)
