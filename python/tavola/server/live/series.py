"""The score of a series: a match and the matches before it, of which each is the rematch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from tavola.server.live.finished_matches import finished
from tavola.server.matches.series import SeriesScore
from tavola.server.storage.database import Database
from tavola.server.storage.tables import events

MOST_GAMES = 100
"""How many games of a series count: the latest."""

_IS_LINK = events.c.kind == sa.literal_column("'rematch'")
"""A condition in the words of the index `ix_events_rematch`."""


async def score_before(database: Database, match: str, seats: int) -> SeriesScore:
    """Return the score before a match.

    Every rematch moves each player one seat further.

    Args:
        database: The database of the matches.
        match: The match.
        seats: Its number of seats.
    """
    before = (
        sa.select(events.c.match, sa.literal(1).label("back"))
        .where(_IS_LINK, events.c.token == match)
        .cte("before", recursive=True)
    )
    earlier = sa.select(events.c.match, before.c.back + 1).where(
        _IS_LINK, events.c.token == before.c.match, before.c.back < MOST_GAMES
    )
    before = before.union_all(earlier)
    wanted = sa.select(before.c.back, finished.c.winners).join(
        finished, finished.c.match == before.c.match
    )

    def read(connection: sa.Connection) -> Sequence[Any]:
        return connection.execute(wanted).all()

    score = SeriesScore(0, (0.0,) * seats)
    for back, bits in await database.read(read):
        won = {seat for seat in range(seats) if bits >> (seat + back) % seats & 1}
        score = score.after(won)
    return score
