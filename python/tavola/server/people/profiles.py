"""The profile of a person, as another sees it."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from msgspec.structs import asdict

from tavola.server.accounts import relations as relation_store
from tavola.server.accounts.accounts import Account, accounts
from tavola.server.accounts.ratings import (
    ESTABLISHED_DEVIATION,
    Field,
    ratings,
    results,
)
from tavola.server.archive.archive import server_game
from tavola.server.errors import RequestError
from tavola.server.live.finished_matches import finished
from tavola.server.people import friends, scores
from tavola.server.schema.people import PersonGame, PersonGames, Profile, RatingHistory
from tavola.server.schema.sanitize import fold
from tavola.server.storage.database import load_headers
from tavola.server.storage.tables import matches, seats

PAGE_SIZE = 20
"""How many games are listed at a time."""

MOST_RESULTS = 2000
"""How many of a person's latest rated matches a graph shows."""

MOST_POINTS = 200
"""How many points a graph has at most."""


def find(connection: sa.Connection, name: str) -> sa.Row[Any]:
    """Return the row of the account with a name.

    Raises:
        RequestError: `unknown-person`.
    """
    found = connection.execute(accounts.select().where(accounts.c.folded == fold(name)))
    row = found.one_or_none()
    if row is None:
        raise RequestError("unknown-person", name=name)
    return row


def profile(connection: sa.Connection, name: str, viewer: Account | None) -> tuple[str, Profile]:
    """Return a person's id, and the profile without trophies.

    Raises:
        RequestError: `unknown-person`.
    """
    row = find(connection, name)
    me = None if viewer is None else viewer.id
    you = row.id == me
    kind = None if me is None or you else relation_store.relation(connection, me, row.id)
    if row.private and not you:
        return row.id, Profile(row.name, private=True, you=False, relation=kind)
    friend = (
        kind == "follow"
        and me is not None
        and relation_store.relation(connection, row.id, me) == "follow"
    )
    games = friends.playing(connection, [row.id]) if friend else {}
    return row.id, Profile(
        row.name,
        private=row.private,
        you=you,
        relation=kind,
        created=row.created,
        bot=row.bot,
        friend=friend,
        online=friend and bool(friends.online(connection, [row.id])),
        playing=games[row.id][0] if row.id in games else None,
        ratings=_ratings(connection, row.id),
        seats=scores.seat_scores(connection, row.id, me),
        opponents=scores.opponent_scores(connection, row.id, me),
        versus=None if me is None or you else scores.versus(connection, me, row.id),
    )


def _ratings(connection: sa.Connection, account: str) -> tuple[RatingHistory, ...]:
    """Return the ratings of an account with their histories."""
    known = connection.execute(
        ratings.select()
        .where(ratings.c.player == account)
        .order_by(ratings.c.game, ratings.c.field.desc())
    ).all()
    if not known:
        return ()
    own = sa.select(seats.c.match).where(seats.c.account == account)
    rows = connection.execute(
        sa.select(results.c.game, results.c.at, results.c.seats)
        .where(results.c.match.in_(own))
        .order_by(results.c.number.desc())
        .limit(MOST_RESULTS)
    ).all()
    points: dict[tuple[str, Field], list[tuple[str, float]]] = {}
    for row in reversed(rows):
        field: Field = "two" if len(row.seats) == 2 else "several"
        after = next((one["after"] for one in row.seats if one["player"] == account), None)
        if after is not None:
            points.setdefault((row.game, field), []).append((row.at, round(after, 1)))
    return tuple(
        RatingHistory(
            one.game,
            one.field,
            one.rating,
            one.deviation,
            one.matches,
            one.deviation <= ESTABLISHED_DEVIATION[one.field],
            max((value for _, value in history), default=one.rating),
            tuple(_thinned(history)),
        )
        for one in known
        for history in [points.get((one.game, one.field), [])]
    )


def _thinned(points: list[tuple[str, float]]) -> list[tuple[str, float]]:
    """Return at most `MOST_POINTS` points, among them the last one."""
    step = -(-len(points) // MOST_POINTS)
    return points[::-1][:: max(step, 1)][::-1]


def games(
    connection: sa.Connection, name: str, viewer: Account | None, game: str | None, after: str
) -> PersonGames:
    """Return a page of a person's finished games.

    Args:
        connection: The database.
        name: The person.
        viewer: The account that looks at them.
        game: Of this game alone.
        after: The `next` of the page before, or empty.

    Raises:
        RequestError: `unknown-person`, `unknown-page`.
    """
    row = find(connection, name)
    me = None if viewer is None else viewer.id
    if row.private and row.id != me:
        return PersonGames((), None)
    wanted = list(scores.shown_matches(row.id, me))
    if game is not None:
        wanted.append(finished.c.game == game)
    if after:
        ended, _, match = after.partition(" ")
        if not match:
            raise RequestError("unknown-page", after=after)
        same = (finished.c.ended == ended) & (finished.c.match > match)
        wanted.append((finished.c.ended < ended) | same)
    rows = connection.execute(
        sa.select(finished)
        .join(seats, seats.c.match == finished.c.match)
        .where(*wanted)
        .order_by(finished.c.ended.desc(), finished.c.match)
        .limit(PAGE_SIZE + 1)
    ).all()
    shown = rows[:PAGE_SIZE]
    found = matches.select().where(matches.c.id.in_([one.match for one in shown]))
    headers = {
        header.id: header for header in load_headers(connection, connection.execute(found).all())
    }
    listed = tuple(
        PersonGame(**asdict(server_game(headers[one.match], one, None, viewer)), game=one.game)
        for one in shown
    )
    last = shown[-1] if len(rows) > PAGE_SIZE else None
    return PersonGames(listed, None if last is None else f"{last.ended} {last.match}")
