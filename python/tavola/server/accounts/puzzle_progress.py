"""The progress of accounts with puzzles: results, and the days of solved daily puzzles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

import tavola
from tavola import _core
from tavola.puzzles import puzzle_file
from tavola.server.accounts.accounts import Account
from tavola.server.errors import RequestError
from tavola.server.schema.accounts import NewPuzzleProgress, PuzzleProgress
from tavola.server.storage.database import Database
from tavola.server.storage.tables import metadata

FIRST_DAY = date(2026, 1, 1)
"""No puzzle of the day is older."""

_DAY = re.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)

results = sa.Table(
    "puzzle_results",
    metadata,
    sa.Column("account", sa.ForeignKey("accounts.id"), primary_key=True),
    # GAME/ID.
    sa.Column("puzzle", sa.String(80), primary_key=True),
    # Whether it was solved without mistakes and help.
    sa.Column("clean", sa.Boolean, nullable=False),
    # The order in which the account's results arrived, from which clients compute the rating.
    sa.Column("number", sa.Integer, nullable=False, server_default="0"),
)

days = sa.Table(
    "puzzle_days",
    metadata,
    sa.Column("account", sa.ForeignKey("accounts.id"), primary_key=True),
    # The day whose puzzle was solved, though perhaps after midnight: the player's date then.
    sa.Column("day", sa.String(10), primary_key=True),
)


class PuzzleResults:
    """The puzzle results of accounts, in the database.

    Args:
        database: The database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def progress(self, account: Account) -> PuzzleProgress:
        """Return the stored progress of an account."""
        return await self._database.run(lambda connection: _read(connection, account.id))

    async def add(self, account: Account, new: NewPuzzleProgress) -> PuzzleProgress:
        """Merge progress into that of an account.

        A puzzle counts as solved without mistakes if it was on one of the account's devices.
        Puzzles that the server does not have are left out.

        Args:
            account: The account.
            new: The progress to add.

        Returns:
            All progress of the account.

        Raises:
            RequestError: `unknown-day`; `signed-out`, if the account is deleted meanwhile.
        """
        _check_days(new.days)
        puzzles = _known_puzzles(tavola.games(), _core._registrations())
        solved = [
            {"account": account.id, "puzzle": puzzle, "clean": bool(clean)}
            for puzzle, clean in new.results.items()
            if puzzle in puzzles
        ]
        marked = [{"account": account.id, "day": day} for day in set(new.days)]

        def write(connection: sa.Connection) -> PuzzleProgress:
            last = connection.scalar(
                sa.select(sa.func.max(results.c.number)).where(results.c.account == account.id)
            )
            numbered = [
                {**row, "number": place} for place, row in enumerate(solved, (last or 0) + 1)
            ]
            try:
                _merge(connection, results, numbered, "clean")
                _merge(connection, days, marked)
            except sa.exc.IntegrityError:
                raise RequestError("signed-out") from None
            return _read(connection, account.id)

        return await self._database.run(write)


def delete_progress(connection: sa.Connection, account: str) -> None:
    """Delete the progress of an account."""
    for table in (results, days):
        connection.execute(table.delete().where(table.c.account == account))


def _check_days(new: Iterable[str]) -> None:
    """Check that days are dates on which there was a puzzle of the day.

    Raises:
        RequestError: `unknown-day`.
    """
    # Somewhere it is tomorrow already.
    last = datetime.now(UTC).date() + timedelta(days=1)
    for day in new:
        try:
            known = _DAY.fullmatch(day) is not None and FIRST_DAY <= date.fromisoformat(day) <= last
        except ValueError:
            known = False
        if not known:
            raise RequestError("unknown-day", day=day, first=str(FIRST_DAY), last=str(last))


@cache
def _known_puzzles(games: tuple[str, ...], registrations: int) -> frozenset[str]:
    """Return the puzzles of all games as `GAME/ID`."""
    return frozenset(f"{game}/{one.id}" for game in games for one in puzzle_file(game).puzzles)


def _read(connection: sa.Connection, account: str) -> PuzzleProgress:
    solved = connection.execute(
        sa.select(results.c.puzzle, results.c.clean)
        .where(results.c.account == account)
        .order_by(results.c.number, results.c.puzzle)
    )
    marked = connection.execute(
        sa.select(days.c.day).where(days.c.account == account).order_by(days.c.day)
    )
    return PuzzleProgress(
        {puzzle: 1 if clean else 0 for puzzle, clean in solved}, tuple(marked.scalars())
    )


def _merge(
    connection: sa.Connection,
    table: sa.Table,
    rows: Sequence[Mapping[str, Any]],
    better: str | None = None,
) -> None:
    """Insert rows; of a row that exists only the column `better` changes, from false to true."""
    if not rows:
        return
    insert = postgresql.insert if connection.dialect.name == "postgresql" else sqlite.insert
    statement = insert(table)
    if better is None:
        statement = statement.on_conflict_do_nothing()
    else:
        kept = sa.or_(table.c[better], statement.excluded[better])
        statement = statement.on_conflict_do_update(
            index_elements=list(table.primary_key), set_={better: kept}
        )
    connection.execute(statement, rows)
