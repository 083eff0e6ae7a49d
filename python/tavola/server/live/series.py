"""The score of a series: a match and the matches before it, of which each is the rematch."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from tavola.server.live.finished_matches import finished
from tavola.server.matches.series import SeriesScore
from tavola.server.storage.tables import events

MOST_GAMES = 100
"""How many games of a series count: the latest."""

_IS_LINK = events.c.kind == sa.literal_column("'rematch'")
"""A condition in the words of the index `ix_events_rematch`."""


def _results_before() -> sa.Select[Any]:
    """Return the query of the matches before a `match`: how far back, and the winners as bits."""
    before = (
        sa.select(events.c.match, sa.literal(1).label("back"))
        .where(_IS_LINK, events.c.token == sa.bindparam("match"))
        .cte("before", recursive=True)
    )
    earlier = sa.select(events.c.match, before.c.back + 1).where(
        _IS_LINK, events.c.token == before.c.match, before.c.back < MOST_GAMES
    )
    before = before.union_all(earlier)
    return sa.select(before.c.back, finished.c.winners).join(
        finished, finished.c.match == before.c.match
    )


_RESULTS_BEFORE = _results_before()


def score_before(connection: sa.Connection, match: str, seats: int) -> SeriesScore:
    """Return the score before a match.

    Every rematch moves each player one seat further.

    Args:
        connection: To the database of the matches.
        match: The match.
        seats: Its number of seats.
    """
    score = SeriesScore(0, (0.0,) * seats)
    for back, bits in connection.execute(_RESULTS_BEFORE, {"match": match}):
        won = {seat for seat in range(seats) if bits >> (seat + back) % seats & 1}
        score = score.after(won)
    return score
