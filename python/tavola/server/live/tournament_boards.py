"""The matches of tournaments: their results, stored in the transaction that ends them."""

from __future__ import annotations

import sqlalchemy as sa

from tavola import view as views
from tavola.server.matches.match import Match
from tavola.server.matches.time_control import TurnTime
from tavola.server.snapshots.snapshot import match_result
from tavola.server.storage.database import Statement
from tavola.server.storage.tables import metadata

tournament_boards = sa.Table(
    "tournament_boards",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("tournament", sa.String(32), nullable=False, index=True),
    # By seat, higher is better; null until the match is over.
    sa.Column("ranking", sa.JSON(none_as_null=True), nullable=True),
    # The seat that did not come or left.
    sa.Column("absent", sa.Integer, nullable=True),
)


def add_board(match: str, tournament: str) -> Statement:
    """Return the statement that stores that a match belongs to a tournament."""
    statement = tournament_boards.insert().values(match=match, tournament=tournament)

    def write(connection: sa.Connection) -> None:
        connection.execute(statement)

    return write


def on_over(match: Match, *, was_over: bool) -> list[Statement]:
    """Return what to write with a match's latest events: the result, if it is of a tournament.

    Args:
        match: The match as they leave it.
        was_over: Whether it was over before.
    """
    if match.status != "over" or was_over:
        return []
    statement = (
        tournament_boards.update()
        .where(tournament_boards.c.match == match.header.id)
        .values(ranking=ranking(match), absent=_absent_seat(match))
    )

    def write(connection: sa.Connection) -> None:
        connection.execute(statement)

    return [write]


def ranking(match: Match) -> list[float]:
    """Return a number for each seat of a match that is over, higher is better.

    Winners are equal. Of a game that ended by its rules, the others are ordered by the first
    counter of the seats, in the direction in which every winner leads.
    """
    result = match_result(match)
    order = list(result.returns)
    losers = [seat for seat in range(len(order)) if seat not in result.winners]
    if len(losers) < 2 or not result.winners or match.core.termination is not None:
        return order
    seats = views.view(match.state).seats
    counters = [seat.counters[0].value if seat.counters else 0 for seat in seats]
    best, others = [counters[seat] for seat in result.winners], [counters[seat] for seat in losers]
    sign = 1 if min(best) >= max(others) else -1 if max(best) <= min(others) else 0
    for seat in losers:
        order[seat] -= 1e6 - sign * counters[seat]
    return order


def ends_only_by_players(match: Match) -> bool:
    """Return whether no clock ends the match of players who left."""
    return match.header.time is None or isinstance(match.header.time, TurnTime)


def _absent_seat(match: Match) -> int | None:
    """Return the seat of a player who did not come, or left a match without a clock."""
    if match.core.termination != "time":
        return None
    return match.core.loser if match.core.is_opening or ends_only_by_players(match) else None
