"""Reads the public matches that are being played from the database.

A match is public if it was offered in the lobby, was made by quick pairing, or belongs to a
tournament. Others are shown to no one who does not have their link.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from tavola.ratings import start
from tavola.server.accounts.ratings import ratings, seat_ratings
from tavola.server.live.finished_matches import finished
from tavola.server.live.tournament_boards import tournament_boards
from tavola.server.matches.log import Header, format_time
from tavola.server.matches.seating import SeatRating
from tavola.server.storage.database import load_headers
from tavola.server.storage.tables import events, matches, seats
from tavola.server.watch.choice import Candidate

TOURNAMENT_DELAY = 60
"""How many seconds later spectators see a match of a tournament."""

END_SECONDS = 8
"""How long the end of a match is shown."""

IDLE = timedelta(minutes=15)
"""A match without an event for so long is not shown."""

MOST_MATCHES = 1000
"""How many matches are considered: the latest."""

_last = events.alias("last")


@dataclass(frozen=True, slots=True)
class Shown:
    """A match that can be shown, and the number of the event that it is shown after."""

    candidate: Candidate
    seq: int
    delay: int


@dataclass(frozen=True, slots=True)
class Position:
    """A match at an event."""

    header: Header
    text: str
    ratings: tuple[SeatRating | None, ...]


def running(connection: sa.Connection, strengths: dict[str, float]) -> list[Shown]:
    """Return the public matches that are being played, or have just ended.

    Args:
        connection: To the database.
        strengths: Those of the matches that were returned before. Becomes those of the new ones.
    """
    now = datetime.now(UTC)
    shown = [
        *_running(connection, now, 0, strengths),
        *_running(
            connection, now - timedelta(seconds=TOURNAMENT_DELAY), TOURNAMENT_DELAY, strengths
        ),
    ]
    for gone in strengths.keys() - {one.candidate.match for one in shown}:
        del strengths[gone]
    return shown


def _running(
    connection: sa.Connection, until: datetime, delay: int, strengths: dict[str, float]
) -> list[Shown]:
    """Return the matches as they were at a time: those of tournaments, or the others."""
    of_tournament = sa.exists().where(tournament_boards.c.match == matches.c.id)
    public = of_tournament if delay else (matches.c.offered.is_not(None) & ~of_tournament)
    ended = (
        sa.select(finished.c.ended)
        .where(finished.c.match == matches.c.id)
        .correlate(matches)
        .scalar_subquery()
    )
    is_open = seats.c.kind == "person", seats.c.token_hash.is_(None)
    newest = (
        sa.select(sa.func.max(events.c.seq))
        .where(events.c.match == matches.c.id, events.c.at <= format_time(until))
        .correlate(matches)
        .scalar_subquery()
    )
    found = connection.execute(
        sa.select(matches.c.id, matches.c.game, _last.c.seq, _last.c.at, ended.label("ended"))
        .select_from(matches.join(_last, _last.c.match == matches.c.id))
        .where(public, _last.c.seq == newest)
        .where(_last.c.at >= format_time(until - IDLE), _last.c.kind != "abort")
        .where(~sa.exists().where(seats.c.match == matches.c.id, *is_open))
        .where(ended.is_(None) | (ended >= format_time(until - timedelta(seconds=END_SECONDS))))
        .order_by(matches.c.created.desc())
        .limit(MOST_MATCHES)
    ).all()
    if new := [row.id for row in found if row.id not in strengths]:
        strengths.update(_strengths(connection, new))
    return [
        Shown(
            Candidate(
                match=row.id,
                game=row.game,
                strength=strengths.get(row.id, 0.0),
                at=row.at,
                over=row.ended is not None and row.ended <= format_time(until),
            ),
            row.seq,
            delay,
        )
        for row in found
    ]


def _strengths(connection: sa.Connection, those: list[str]) -> dict[str, float]:
    """Return the mean ratings of matches; a seat without a rating counts as a weak player."""
    field = sa.case((sa.func.count(seats.c.seat) == 2, "two"), else_="several")
    sizes = (
        sa.select(seats.c.match, field.label("field"))
        .where(seats.c.match.in_(those))
        .group_by(seats.c.match)
        .subquery()
    )
    new = start(2)
    weak = new.value - new.deviation
    rated = connection.execute(
        sa.select(seats.c.match, sa.func.avg(sa.func.coalesce(ratings.c.rating, weak)))
        .join(matches, matches.c.id == seats.c.match)
        .join(sizes, sizes.c.match == seats.c.match)
        .join(
            ratings,
            (ratings.c.player == seats.c.account)
            & (ratings.c.game == matches.c.game)
            & (ratings.c.field == sizes.c.field),
            isouter=True,
        )
        .group_by(seats.c.match)
    )
    return {match: float(mean) for match, mean in rated}


def positions(connection: sa.Connection, wanted: Iterable[Shown]) -> dict[str, Position]:
    """Return matches with their positions after the shown events."""
    seqs = {one.candidate.match: one.seq for one in wanted}
    if not seqs:
        return {}
    rows = connection.execute(matches.select().where(matches.c.id.in_(seqs))).all()
    headers = {header.id: header for header in load_headers(connection, rows)}
    pairs = sa.tuple_(events.c.match, events.c.seq).in_(list(seqs.items()))
    texts = connection.execute(sa.select(events.c.match, events.c.position).where(pairs))
    return {
        row.match: Position(
            headers[row.match], row.position, seat_ratings(connection, headers[row.match])
        )
        for row in texts
    }
