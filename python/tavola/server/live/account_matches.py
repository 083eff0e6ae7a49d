"""What belongs to an account: its seats, and how their matches stand.

How a match stands is kept beside its log, in the log's own transactions, if an account has a seat
in it: so that a list of matches need not replay them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import sqlalchemy as sa

from tavola.server.accounts import ratings, seat_tokens
from tavola.server.accounts.accounts import Account
from tavola.server.live.chat import chat, reports
from tavola.server.live.conditional_moves import plans
from tavola.server.matches.log import Header
from tavola.server.matches.match import Match
from tavola.server.matches.seating import Sitting
from tavola.server.schema.accounts import OwnDeed, OwnPlan, OwnReport, SaidLine
from tavola.server.schema.errors import Refused
from tavola.server.schema.responses import Standing
from tavola.server.snapshots import snapshot
from tavola.server.storage.database import (
    Store,
    Work,
    events,
    headers_of,
    matches,
    metadata,
    seats,
)

PAGE = 50
"""How many matches are listed at a time."""

standings = sa.Table(
    "standings",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("seq", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("acting", sa.Integer, nullable=True),
    sa.Column("since", sa.String(32), nullable=False),
    sa.Column("winners", sa.JSON(none_as_null=True), nullable=True),
)


def noting(match: Match) -> Work:
    """What notes how a match stands."""
    standing = snapshot.standing(match, frozenset())
    values = {
        "seq": standing.seq,
        "status": standing.status,
        "acting": standing.acting,
        "since": standing.since,
        "winners": standing.winners,
    }

    def note(connection: sa.Connection) -> None:
        here = standings.c.match == match.header.id
        if connection.execute(standings.update().where(here).values(values)).rowcount == 0:
            connection.execute(standings.insert().values(match=match.header.id, **values))

    return note


def following(match: Match, *, was_over: bool) -> Work | None:
    """What is written in the transaction that stores a match's latest events, for its accounts.

    Args:
        match: The match as they leave it.
        was_over: Whether it was over before: then it has been counted.
    """
    if not match.sitting.has_accounts:
        return None
    note = noting(match)
    players = seat_tokens.players(match.header)
    ended = match.status == "over" and (match.ended is None or match.ended.reason != "aborted")
    if not match.header.rated or was_over or not ended or match.replaced or players is None:
        return note
    returns = snapshot.result(match).returns
    count = ratings.counting(match.header.id, match.header.game, players, returns)

    def both(connection: sa.Connection) -> None:
        note(connection)
        count(connection)

    return both


def claiming(match: Match, header: Header, account: Account) -> Work:
    """What makes seats an account's that are so in this header.

    It raises `Refused`, `claimed`, if another account was first.
    """
    note = noting(match)

    def claim(connection: sa.Connection) -> None:
        for number in seat_tokens.own(header, account):
            seat = header.seats[number]
            free = seats.c.account.is_(None) | (seats.c.account == account.id)
            here = (seats.c.match == header.id) & (seats.c.seat == number)
            named = {"account": seat.account, "member": seat.member, "name": seat.name}
            if connection.execute(seats.update().where(here & free).values(named)).rowcount != 1:
                raise Refused("claimed", seat=number)
        note(connection)

    return claim


def forgetting(account: str) -> Work:
    """What takes a deleted account off its seats and lists, and what it has said and planned."""

    def forget(connection: sa.Connection) -> None:
        said = sa.select(chat.c.id).where(_sat_by(account))
        connection.execute(reports.delete().where(reports.c.line.in_(said)))
        connection.execute(chat.delete().where(_sat_by(account)))
        connection.execute(plans.delete().where(_sat_by(account, plans)))
        own = sa.select(seats.c.match).where(seats.c.account == account)
        going_on = sa.select(standings.c.match).where(
            standings.c.match.in_(own), standings.c.status != "over"
        )
        # It could not be counted any more, and whoever is left is to be free to end it.
        connection.execute(matches.update().where(matches.c.id.in_(going_on)).values(rated=False))
        # Strangers are not to be invited to somebody who is no more.
        offered = matches.c.id.in_(own) & matches.c.offered.is_not(None)
        connection.execute(matches.update().where(offered).values(offered=None))
        connection.execute(
            seats.update()
            .where(seats.c.account == account)
            .values(account=None, member=False, name="", deleted=True)
        )
        ratings.forget(connection, account)

    return forget


def _sat_by(account: str, those: sa.FromClause = chat) -> sa.ColumnElement[bool]:
    """What was said, or `those`, from an account's seats."""
    seat = (seats.c.match == those.c.match) & (seats.c.seat == those.c.seat)
    return sa.exists().where(seat, seats.c.account == account)


@dataclass(frozen=True, slots=True)
class Belonging:
    """A match in which an account has a seat, and how it stands for that account."""

    header: Header
    standing: Standing


class Belongings:
    """The matches of accounts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def matches(
        self, account: Account, after: str | None = None
    ) -> tuple[list[Belonging], str | None]:
        """An account's matches, those in which something happened last first.

        Args:
            account: Whose.
            after: What the last answer said of where it ended.

        Returns:
            As many as are listed at a time; if there are more, where these end.
        """

        def read(connection: sa.Connection) -> list[Belonging]:
            latest = standings.c.since.desc(), standings.c.match
            listed = _standings_of(account).order_by(*latest).limit(PAGE + 1)
            if after is not None:
                since, _, match = after.partition(" ")
                same = (standings.c.since == since) & (standings.c.match > match)
                listed = listed.where((standings.c.since < since) | same)
            return _belongings(connection, connection.execute(listed).all(), account)

        found = await self._store.do(read)
        if len(found) <= PAGE:
            return found, None
        last = found[PAGE - 1].standing
        return found[:PAGE], f"{last.since} {last.match}"

    async def deeds(self, account: Account, match: str) -> tuple[OwnDeed, ...]:
        """What the log of a match says of an account's seats."""
        wanted = (events.c[name] for name in OwnDeed.__struct_fields__)
        rows = await self._store.do(
            lambda connection: connection.execute(
                sa.select(*wanted)
                .where(events.c.match == match, _sat_by(account.id, events))
                .order_by(events.c.seq)
            ).all()
        )
        return tuple(OwnDeed(*row) for row in rows)

    async def lines(self, account: Account) -> tuple[SaidLine, ...]:
        """All that was said in chats from an account's seats, the oldest first."""
        rows = await self._store.do(
            lambda connection: connection.execute(
                chat.select().where(_sat_by(account.id)).order_by(chat.c.id)
            ).all()
        )
        return tuple(SaidLine(row.match, row.seat, row.at, row.text) for row in rows)

    async def reports(self, account: Account) -> tuple[OwnReport, ...]:
        """All that an account's seats have reported to the host, the oldest first."""
        told = (
            sa.select(chat.c.match, reports.c.seat, reports.c.line, reports.c.at)
            .join(chat)
            .subquery()
        )
        rows = await self._store.do(
            lambda connection: connection.execute(
                told.select().where(_sat_by(account.id, told)).order_by(told.c.at)
            ).all()
        )
        return tuple(OwnReport(*row) for row in rows)

    async def plans(self, account: Account) -> tuple[OwnPlan, ...]:
        """All that an account's seats have planned."""
        rows = await self._store.do(
            lambda connection: connection.execute(
                plans.select().where(_sat_by(account.id, plans)).order_by(plans.c.match)
            ).all()
        )
        return tuple(
            OwnPlan(row.match, row.seat, row.after, tuple(map(tuple, row.lines)))
            for row in rows
            if row.lines
        )

    async def every(self, account: Account) -> list[Belonging]:
        """All of an account's matches, in the same order.

        They are read by their names, which stay, whatever happens in them meanwhile.
        """
        found: list[Belonging] = []

        def read(connection: sa.Connection) -> list[Belonging]:
            listed = _standings_of(account).order_by(standings.c.match).limit(PAGE)
            if found:
                listed = listed.where(standings.c.match > found[-1].header.id)
            return _belongings(connection, connection.execute(listed).all(), account)

        while page := await self._store.do(read):
            found += page
        return sorted(found, key=lambda one: one.standing.since, reverse=True)


def _standings_of(account: Account) -> sa.Select[Any]:
    own = sa.select(seats.c.match).where(seats.c.account == account.id)
    return standings.select().where(standings.c.match.in_(own))


def _belongings(
    connection: sa.Connection, rows: Sequence[sa.Row[Any]], account: Account
) -> list[Belonging]:
    """How an account's matches stand, of their rows in `standings`."""
    found = matches.select().where(matches.c.id.in_([row.match for row in rows]))
    headers = headers_of(connection, connection.execute(found).all())
    known = {header.id: header for header in headers}
    return [_belonging(known[row.match], row, account) for row in rows]


def _belonging(header: Header, row: sa.Row[Any], account: Account) -> Belonging:
    return Belonging(
        header,
        Standing(
            match=header.id,
            game=header.game,
            seq=row.seq,
            seats=Sitting(header.seats, frozenset()).shown(seat_tokens.own(header, account)),
            status=row.status,
            acting=row.acting,
            since=row.since,
            winners=None if row.winners is None else tuple(row.winners),
            rated=header.rated,
        ),
    )
