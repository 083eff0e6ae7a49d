"""The results of the finished matches of a person."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from tavola.server.accounts.accounts import accounts
from tavola.server.live.finished_matches import finished
from tavola.server.people.public_matches import is_public_finished
from tavola.server.schema.people import OpponentScore, Score, SeatScore
from tavola.server.storage.tables import seats

MOST_SEATS = 16

OPPONENTS = 12
"""How many opponents a profile lists: those of the most games."""

_them = seats.alias("them")
_also = seats.alias("also")
_joined = finished.c.match == seats.c.match


def shown_matches(account: str, viewer: str | None) -> tuple[sa.ColumnElement[bool], ...]:
    """Return the conditions that `seats` and `finished` are a game that a profile shows.

    Matches that people played by link alone are shown to those who played in them.

    Args:
        account: The person of the profile.
        viewer: The account that looks at it.
    """
    again = sa.exists().where(
        _also.c.match == seats.c.match, _also.c.account == account, _also.c.seat != seats.c.seat
    )
    own = seats.c.account == account, seats.c.member, ~again
    if viewer == account:
        return own
    visible = is_public_finished
    if viewer is not None:
        both = sa.exists().where(_also.c.match == finished.c.match, _also.c.account == viewer)
        visible |= both
    return (*own, visible)


def _has_won(seat: sa.ColumnElement[int]) -> sa.ColumnElement[bool]:
    bit = sa.case({number: 1 << number for number in range(MOST_SEATS)}, value=seat, else_=0)
    return finished.c.winners.bitwise_and(bit) != 0


def _count_if(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[int]:
    return sa.func.sum(sa.case((condition, 1), else_=0))


_COUNTS: tuple[sa.ColumnElement[Any], ...] = (
    sa.func.count().label("played"),
    _count_if(_has_won(seats.c.seat)).label("won"),
    _count_if(finished.c.winners == 0).label("drawn"),
)


def _score(row: sa.Row[Any]) -> Score:
    return Score(row.played, row.won or 0, row.drawn or 0)


def seat_scores(
    connection: sa.Connection, account: str, viewer: str | None
) -> tuple[SeatScore, ...]:
    """Return a person's scores by game and seat."""
    rows = connection.execute(
        sa.select(finished.c.game, seats.c.seat, *_COUNTS)
        .select_from(seats.join(finished, _joined))
        .where(*shown_matches(account, viewer))
        .group_by(finished.c.game, seats.c.seat)
        .order_by(finished.c.game, seats.c.seat)
    )
    return tuple(SeatScore(row.game, row.seat, _score(row)) for row in rows)


def _met() -> sa.FromClause:
    """Return each game of a person with each of the other seats."""
    other = (_them.c.match == seats.c.match) & (_them.c.seat != seats.c.seat)
    return seats.join(finished, _joined).join(_them, other)


def opponent_scores(
    connection: sa.Connection, account: str, viewer: str | None
) -> tuple[OpponentScore, ...]:
    """Return a person's scores against the opponents of the most games.

    Accounts with a private profile are left out, but for the viewer.
    """
    known = (accounts.c.id.is_not(None) & _them.c.member) | _them.c.level.is_not(None)
    public = accounts.c.id.is_(None) | ~accounts.c.private
    if viewer is not None:
        public |= accounts.c.id == viewer
    rows = connection.execute(
        sa.select(accounts.c.name, _them.c.level, *_COUNTS)
        .select_from(_met().outerjoin(accounts, accounts.c.id == _them.c.account))
        .where(*shown_matches(account, viewer), known, sa.true() if viewer == account else public)
        .group_by(accounts.c.id, accounts.c.name, _them.c.level)
        .order_by(sa.func.count().desc(), accounts.c.name, _them.c.level)
        .limit(OPPONENTS)
    )
    return tuple(OpponentScore(_score(row), row.name, row.level) for row in rows)


def versus(connection: sa.Connection, account: str, other: str) -> Score | None:
    """Return an account's score against another; `None` before their first game."""
    wanted = *shown_matches(account, account), _them.c.account == other, _them.c.member
    row = connection.execute(sa.select(*_COUNTS).select_from(_met()).where(*wanted)).one()
    return _score(row) if row.played else None
