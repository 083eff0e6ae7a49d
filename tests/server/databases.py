"""Where the databases of tests are: files, or with `TAVOLA_TEST_DATABASE` on that PostgreSQL."""

from __future__ import annotations

import atexit
import functools
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tavola.server.storage.migrate import migrate
from tavola.server.storage.write_queue import create_engine

SERVER = os.environ.get("TAVOLA_TEST_DATABASE")

on_sqlite = pytest.mark.skipif(SERVER is not None, reason="about files of SQLite")


def url_of(file: Path, *, template: str | None = None) -> str:
    """The URL of a database that a test calls by a file; the same file is the same database.

    Args:
        file: The file.
        template: The database that a new one on PostgreSQL is a copy of.
    """
    if SERVER is None:
        return f"sqlite:///{file}"
    name = f"tavola_{hashlib.sha256(str(file).encode()).hexdigest()[:24]}"
    server = sa.create_engine(SERVER, isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        known = connection.execute(
            sa.text("SELECT 1 FROM pg_database WHERE datname = :name"), {"name": name}
        ).scalar()
        if known is None:
            copied = "" if template is None else f' TEMPLATE "{template}"'
            connection.execute(sa.text(f'CREATE DATABASE "{name}"{copied}'))
    server.dispose()
    url = sa.make_url(SERVER).set(database=name)
    return url.render_as_string(hide_password=False)


def migrated_url_of(file: Path) -> str:
    """The URL of a database; a new one has the tables already, from one that was migrated once."""
    template = _migrated()
    if SERVER is not None:
        return url_of(file, template=sa.make_url(template).database)
    if file.parent.is_dir() and not file.exists():  # a server makes its folder itself
        shutil.copy(str(sa.make_url(template).database), file)
    return url_of(file)


@functools.cache
def _migrated() -> str:
    folder = tempfile.mkdtemp(prefix="tavola-migrated-")
    atexit.register(shutil.rmtree, folder)
    url = url_of(Path(folder, "tavola.db"))
    engine = create_engine(url)
    with engine.connect() as connection:
        migrate(connection)
    engine.dispose()
    return url


def rows(file: Path | str, statement: str, **values: Any) -> list[tuple[Any, ...]]:
    """Return the rows that a statement finds in a database, a file or a URL, beside its server."""
    with transaction(file) as connection:
        return [tuple(row) for row in connection.execute(sa.text(statement), values)]


def change(file: Path | str, statement: str, **values: Any) -> None:
    """Changes a database behind the server's back."""
    with transaction(file) as connection:
        connection.execute(sa.text(statement), values)


LATER_TABLES = (
    "announcements",
    "relations",
    "audit_log",
    "bans",
    "deliveries",
    "destinations",
    "api_tokens",
    "server_keys",
    "tournament_boards",
    "tournament_players",
    "tournament_events",
    "tournaments",
    "outbox",
)
"""The tables since revision 0016, those that refer to others first."""


def drop_later_tables(file: Path) -> None:
    """Makes the tables of a database those of revision 0016."""
    change(file, "DROP INDEX ix_events_rematch")
    for table in LATER_TABLES:
        change(file, f"DROP TABLE {table}")
    change(file, "ALTER TABLE puzzle_results DROP COLUMN number")
    for table in ("accounts", "seats"):
        change(file, f"ALTER TABLE {table} DROP COLUMN bot")
    change(file, "DROP INDEX ix_standings_changed")
    change(file, "ALTER TABLE standings DROP COLUMN changed")
    for column in ("private", "seen", "disabled", "muted", "organizer", "moderator"):
        change(file, f"ALTER TABLE accounts DROP COLUMN {column}")
    change(file, "ALTER TABLE seats DROP COLUMN muted")
    change(file, "ALTER TABLE reports DROP COLUMN closed")


def of_json(stored: Any) -> Any:
    """Return the value in a column of JSON: SQLite's driver gives its text."""
    return json.loads(stored) if isinstance(stored, str) else stored


def dump(file: Path | str) -> str:
    """All that is stored."""
    with transaction(file) as connection:
        known = sa.MetaData()
        known.reflect(connection)
        return "\n".join(
            str(tuple(row))
            for table in known.sorted_tables
            for row in connection.execute(table.select())
        )


@contextmanager
def transaction(file: Path | str) -> Iterator[sa.Connection]:
    """A transaction in a database, a file or a URL, beside its server."""
    engine = sa.create_engine(url_of(file) if isinstance(file, Path) else file)
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()
