"""Friends, and whether they are online and playing."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from tavola.server.accounts import relations as relation_store
from tavola.server.accounts.accounts import accounts
from tavola.server.accounts.relations import relations
from tavola.server.live.account_matches import summaries
from tavola.server.matches.log import format_time, now
from tavola.server.people.public_matches import is_public_in_progress
from tavola.server.schema.people import Friend, People
from tavola.server.storage.tables import matches, seats

TOUCH_SECONDS = 30.0
"""Seconds between two writes of which accounts have a page open."""

ONLINE = timedelta(seconds=2.5 * TOUCH_SECONDS)
"""For how long an account counts as online after such a write."""

PLAYING = timedelta(minutes=15)
"""How recently something must have happened in a game that a person is playing."""

BATCH = 500


def touch(connection: sa.Connection, present: Iterable[str]) -> None:
    """Store that accounts are online, as far as another account follows them."""
    followed = sa.select(relations.c.other).where(relations.c.kind == "follow")
    those = tuple(present)
    for start in range(0, len(those), BATCH):
        some = those[start : start + BATCH]
        here = accounts.c.id.in_(some), accounts.c.id.in_(followed)
        connection.execute(accounts.update().where(*here).values(seen=now()))


def online(connection: sa.Connection, those: Iterable[str]) -> frozenset[str]:
    """Return which of some accounts are online."""
    since = format_time(datetime.now(UTC) - ONLINE)
    found = sa.select(accounts.c.id).where(
        accounts.c.id.in_(tuple(those)), accounts.c.seen >= since
    )
    return frozenset(connection.execute(found).scalars())


def playing(connection: sa.Connection, those: Iterable[str]) -> dict[str, tuple[str, str]]:
    """Return by account a match in progress, and its game, as far as everyone may find it."""
    since = format_time(datetime.now(UTC) - PLAYING)
    rows = connection.execute(
        sa.select(seats.c.account, matches.c.id, matches.c.game)
        .join(matches, matches.c.id == seats.c.match)
        .join(summaries, summaries.c.match == matches.c.id)
        .where(
            seats.c.account.in_(tuple(those)),
            summaries.c.status != "over",
            summaries.c.since >= since,
            is_public_in_progress,
        )
        .order_by(summaries.c.since)
    )
    return {row.account: (row.id, row.game) for row in rows}


def people_of(connection: sa.Connection, account: str) -> People:
    """Return the people of an account."""
    row = connection.execute(
        sa.select(accounts.c.private, accounts.c.seen).where(accounts.c.id == account)
    ).one()
    blocked = relation_store.named(connection, account, "block")
    following = relation_store.named(connection, account, "follow")
    followers = relation_store.named(connection, account, "follow", towards=True)
    ignored = {one.id for one in blocked}
    mutual = {one.id for one in followers} & {one.id for one in following}
    here, games = online(connection, mutual), playing(connection, mutual)
    return People(
        private=row.private,
        seen=row.seen,
        friends=tuple(
            Friend(one.name, one.id in here, *games.get(one.id, (None, None)))
            for one in following
            if one.id in mutual
        ),
        following=tuple(one.name for one in following if one.id not in mutual),
        followers=tuple(
            one.name for one in followers if one.id not in mutual and one.id not in ignored
        ),
        blocked=tuple(one.name for one in blocked),
    )
