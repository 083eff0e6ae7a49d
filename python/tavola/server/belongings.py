"""What belongs to an account: its seats, and how their matches stand.

How a match stands is kept beside its log, in the log's own transactions, if an account has a seat in
it: so that a list of matches need not replay them.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

import sqlalchemy as sa

from tavola.server.account_wire import OwnMatch, OwnMatches, Sitter
from tavola.server.accounts import Account
from tavola.server.matches import Match
from tavola.server.store import Store, matches, metadata, now, seats

PAGE = 50
"""How many matches are listed at a time."""

standings = sa.Table(
    "standings",
    metadata,
    sa.Column("match", sa.ForeignKey("matches.id"), primary_key=True),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("acting", sa.Integer, nullable=True),
    sa.Column("winners", sa.JSON, nullable=True),
    sa.Column("touched", sa.String(32), nullable=False),
)


def noting(match: Match) -> Callable[[sa.Connection], None]:
    """What notes how a match stands, in the transaction that stores its events."""
    result = match.result
    values = {
        "status": match.status,
        "acting": match.acting,
        "winners": None if result is None else list(result.winners),
        "touched": now(),
    }

    def note(connection: sa.Connection) -> None:
        here = standings.c.match == match.header.id
        if connection.execute(standings.update().where(here).values(values)).rowcount == 0:
            connection.execute(standings.insert().values(match=match.header.id, **values))

    return note


def taking(match: Match, account: Account, taken: Sequence[int]) -> Callable[[sa.Connection], None]:
    """What gives seats of a match to an account, in one transaction."""
    note = noting(match)

    def take(connection: sa.Connection) -> None:
        for number in taken:
            seat = match.header.seats[number]
            connection.execute(
                seats.update()
                .where(seats.c.match == match.header.id, seats.c.seat == number)
                .values(account=account.id, member=seat.member, name=seat.name)
            )
        note(connection)

    return take


class Belongings:
    """The matches of accounts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def matches(self, account: Account, before: str | None = None) -> OwnMatches:
        """An account's matches, the last touched first.

        Args:
            account: Whose.
            before: The `touched` of the last match that is known already.
        """

        def read(connection: sa.Connection) -> tuple[list[Any], dict[str, list[Any]]]:
            own = sa.select(seats.c.match).where(seats.c.account == account.id)
            listed = (
                sa.select(matches.c.game, matches.c.created, matches.c.rated, standings)
                .join(standings)
                .where(matches.c.id.in_(own))
                .order_by(standings.c.touched.desc(), matches.c.id)
                .limit(PAGE + 1)
            )
            if before is not None:
                listed = listed.where(standings.c.touched < before)
            rows = list(connection.execute(listed))
            sitters: dict[str, list[Any]] = {row.match: [] for row in rows}
            for seat in connection.execute(
                seats.select().where(seats.c.match.in_(sitters)).order_by(seats.c.seat)
            ):
                sitters[seat.match].append(seat)
            return rows, sitters

        rows, sitters = await self._store.do(read)
        return OwnMatches(
            tuple(_own(row, sitters[row.match], account) for row in rows[:PAGE]),
            more=len(rows) > PAGE,
        )

    async def every(self, account: Account) -> AsyncIterator[OwnMatch]:
        """All of an account's matches, the last touched first."""
        page = await self.matches(account)
        while True:
            for match in page.matches:
                yield match
            if not page.more:
                return
            page = await self.matches(account, page.matches[-1].touched)


def _own(row: Any, sitters: list[Any], account: Account) -> OwnMatch:
    return OwnMatch(
        match=row.match,
        game=row.game,
        created=row.created,
        touched=row.touched,
        rated=row.rated,
        status=row.status,
        acting=row.acting,
        winners=None if row.winners is None else tuple(row.winners),
        seats=tuple(
            Sitter(seat.kind, seat.name, seat.account == account.id, seat.level, seat.deleted)
            for seat in sitters
        ),
    )
