"""Rows of several callers, written by one statement.

One statement for many: between two of them the thread would have to wait for the GIL. The statement
is made once, in the driver's syntax: SQLAlchemy needs longer for its own than the database.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import Any

import sqlalchemy as sa

MAX_ROWS = 100
"""The maximum number of rows in one statement."""


class RowsStatement:
    """The statement that inserts rows into a table.

    Args:
        table: The table.
        columns: The names of the columns that are written.
        key: The columns whose row is replaced if it exists; none: that is an error.
    """

    def __init__(self, table: sa.Table, columns: Sequence[str], key: Sequence[str] = ()) -> None:
        self._table = table
        self._columns = tuple(columns)
        self._key = tuple(key)
        self._key_indexes = [self._columns.index(name) for name in key]
        self._text = cache(self._make_text)

    def execute(self, connection: sa.Connection, rows: Sequence[tuple[Any, ...]]) -> None:
        """Write rows, with values as the driver takes them; of those with the same key the last."""
        if self._key:
            by_key = {tuple(row[index] for index in self._key_indexes): row for row in rows}
            rows = list(by_key.values())
        mark = "?" if connection.dialect.paramstyle == "qmark" else "%s"
        for start in range(0, len(rows), MAX_ROWS):
            some = rows[start : start + MAX_ROWS]
            text = self._text(mark, len(some))
            connection.exec_driver_sql(text, tuple(chain.from_iterable(some)))

    def _make_text(self, mark: str, count: int) -> str:
        row = f"({', '.join([mark] * len(self._columns))})"
        columns = ", ".join(f'"{name}"' for name in self._columns)
        text = f"INSERT INTO {self._table.name} ({columns}) VALUES {', '.join([row] * count)}"
        if not self._key:
            return text
        changed = (name for name in self._columns if name not in self._key)
        key = ", ".join(f'"{name}"' for name in self._key)
        values = ", ".join(f'"{name}" = excluded."{name}"' for name in changed)
        return f"{text} ON CONFLICT ({key}) DO UPDATE SET {values}"


@dataclass(frozen=True, slots=True)
class Row:
    """A row to be written, alone or with those of other callers."""

    statement: RowsStatement
    values: tuple[Any, ...]

    def __call__(self, connection: sa.Connection) -> None:
        """Write it alone."""
        self.statement.execute(connection, [self.values])


def write_rows(connection: sa.Connection, rows: Sequence[Row]) -> None:
    """Write rows, those of the same statement together."""
    by_statement: dict[RowsStatement, list[tuple[Any, ...]]] = {}
    for row in rows:
        by_statement.setdefault(row.statement, []).append(row.values)
    for statement, values in by_statement.items():
        statement.execute(connection, values)
