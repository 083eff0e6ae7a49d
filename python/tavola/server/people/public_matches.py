"""Public matches: the ones that everyone may find without their link.

A match is public if it is rated, is or was offered in the lobby, or has at most one person. Boards
of listed tournaments are public, too.
"""

from __future__ import annotations

import sqlalchemy as sa

from tavola.server.live.finished_matches import finished
from tavola.server.live.tournament_boards import tournament_boards
from tavola.server.storage.tables import matches, seats
from tavola.server.tournaments.store import tournaments

_persons = (
    sa.select(sa.func.count())
    .where(seats.c.match == matches.c.id, seats.c.kind == "person")
    .correlate(matches)
    .scalar_subquery()
)


def _is_listed_board(match: sa.ColumnElement[str]) -> sa.ColumnElement[bool]:
    return sa.exists().where(
        tournament_boards.c.match == match,
        tournament_boards.c.tournament == tournaments.c.id,
        tournaments.c.listed,
    )


is_public_in_progress = (
    matches.c.rated
    | matches.c.offered.is_not(None)
    | (_persons <= 1)
    | _is_listed_board(matches.c.id)
)
"""The condition that one of `matches` is public; see `finished_matches.is_listed`."""

is_public_finished = finished.c.listed | _is_listed_board(finished.c.match)
"""The condition that one of `finished` is public."""
