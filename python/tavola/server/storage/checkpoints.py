"""Checkpoints of an SQLite file, beside the thread that writes.

A commit appends to a log beside the file (SQLite's *write-ahead log*), and a checkpoint updates the
file from it. By default SQLite does that within a commit, and all writers wait for it. Here a
thread with its own connection does it, which writers need not wait for.
"""

from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

import sqlalchemy as sa
import structlog
from sqlalchemy.engine.interfaces import DBAPICursor
from sqlalchemy.util import asbool

INTERVAL = 0.5
"""Seconds from a commit to its checkpoint."""

RESTART_PAGES = 4_000
"""The size of the log, in pages, from which a checkpoint restarts it, unless a reader uses it."""

_log = structlog.get_logger("tavola.store")


class Checkpointer:
    """The thread that makes the checkpoints of an SQLite file.

    Args:
        engine: The database.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._due = threading.Event()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="tavola-checkpoints", daemon=True)
        self._thread.start()

    def notify(self) -> None:
        """Note that a transaction was committed."""
        self._due.set()

    def close(self) -> None:
        """Stop; closing the last connection makes a final checkpoint."""
        self._end.set()
        self._due.set()
        self._thread.join()

    def _run(self) -> None:
        with closing(self._engine.raw_connection()) as connection:
            # A restart holds up commits while it waits for readers.
            connection.cursor().execute("PRAGMA busy_timeout=20")
            while self._due.wait() and not self._end.wait(INTERVAL):
                self._due.clear()
                try:
                    _checkpoint(connection.cursor())
                except sqlite3.Error as error:
                    # The log keeps all, and a commit makes a checkpoint when it is very long.
                    _log.warning("no checkpoint", error=repr(error))


def _checkpoint(cursor: DBAPICursor) -> None:
    cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
    _, pages, _ = cursor.fetchall()[0]
    if pages > RESTART_PAGES:
        cursor.execute("PRAGMA wal_checkpoint(RESTART)")
        cursor.fetchall()


def sqlite_file(url: sa.URL) -> Path | None:
    """Return the SQLite file that a database is; `None` if it is something else."""
    if url.get_backend_name() != "sqlite" or uri_mode(url) == "memory":
        return None
    name = url.database or ""
    if _is_uri(url) and name.startswith("file:"):
        name = urlsplit(name).path
    return None if name in ("", ":memory:") else Path(name)


def uri_mode(url: sa.URL) -> str:
    """Return the mode in which SQLite opens a database: `ro`, `rw`, `rwc` or `memory`."""
    return str(url.query.get("mode", "rwc")) if _is_uri(url) else "rwc"


def _is_uri(url: sa.URL) -> bool:
    """Return whether SQLite reads the database as a URI of its own, with its parameters."""
    return asbool(url.query.get("uri", False))


def for_engine(engine: sa.Engine) -> Checkpointer | None:
    """Return the checkpoints of a database; `None` if it is no SQLite file."""
    return None if sqlite_file(engine.url) is None else Checkpointer(engine)
