"""Looks for damage in an SQLite file before a server uses it."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from tavola.server.storage.checkpoints import sqlite_file

CHECK_SECONDS = 5.0
"""The longest time that the check may delay the start. The rest of a large file is not read."""


MAX_FAULTS = 100
"""How many faults are listed at most."""


class DamagedDatabase(Exception):
    """An SQLite file is damaged.

    Attributes:
        fault: The first fault, in the words of SQLite.
        backup: The newest copy that was made before a migration, if there is one.
    """

    def __init__(self, fault: str, backup: Path | None) -> None:
        super().__init__(fault, backup)
        self.fault = fault
        self.backup = backup


def check_file(url: str) -> None:
    """Check an SQLite file, if the database is one.

    Raises:
        DamagedDatabase: If it is damaged.
    """
    try:
        file = sqlite_file(sa.make_url(url))
    except ArgumentError:
        return
    if file is None or not file.is_file():
        return
    copies = sorted(file.parent.glob(f"{file.name}.*.backup"), key=_age)
    # A file that is no database was one if there are copies of it.
    codes = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB) if copies else (sqlite3.SQLITE_CORRUPT,)
    fault = _first_fault(file, codes)
    if fault is not None:
        raise DamagedDatabase(fault, copies[-1] if copies else None)


def all_faults(connection: sa.Connection) -> list[str]:
    """Return all faults of a database that can be found by reading it whole, at most 100.

    SQLite's own checks of a file. PostgreSQL checks its pages when they are read.
    """
    if connection.dialect.name != "sqlite":
        return []
    found = connection.exec_driver_sql("PRAGMA integrity_check").scalars().all()
    faults = [str(fault) for fault in found if fault != "ok"]
    faults += [
        f"{table}: row {row} refers to a missing row of {parent}"
        for table, row, parent, _ in connection.exec_driver_sql("PRAGMA foreign_key_check")
    ]
    return faults[:MAX_FAULTS]


def _first_fault(file: Path, codes: tuple[int, ...]) -> str | None:
    until = time.monotonic() + CHECK_SECONDS
    with closing(sqlite3.connect(file)) as connection:
        connection.set_progress_handler(lambda: time.monotonic() > until, 10_000)
        try:
            (found,) = connection.execute("PRAGMA quick_check(1)").fetchone()
        except sqlite3.DatabaseError as error:
            return str(error) if error.sqlite_errorcode & 0xFF in codes else None
    return None if found == "ok" else str(found)


def _age(file: Path) -> float:
    return file.stat().st_mtime
