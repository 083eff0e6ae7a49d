"""Brings a database to the present schema, after a copy of it has been made."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import sqlalchemy as sa
import structlog

from tavola.server.storage.write_queue import create_private

SCHEMA = "0027"
"""The newest revision in `migrations/versions`; a test holds it to that."""

ONE_AT_A_TIME = 0x7461766F6C61
"""PostgreSQL's advisory lock for migrations: an arbitrary number."""

_log = structlog.get_logger("tavola.store")


class NewerDatabase(Exception):
    """The database was made by a later version of Tavola."""


def migrate(connection: sa.Connection) -> None:
    """Apply the migrations that the database lacks; an SQLite file is copied first.

    Raises:
        NewerDatabase: The database has a revision that this version does not know.
        sqlite3.Error: The copy could not be made; nothing has changed.
        sqlalchemy.exc.SQLAlchemyError: The database cannot be read or written.
    """
    revision = _revision(connection)
    if revision == SCHEMA:
        # A read-only database fails here.
        with connection.begin():
            connection.execute(sa.text("UPDATE alembic_version SET version_num = version_num"))
        return
    # Imported here: a database that is up to date need not wait for it.
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).with_name("migrations")))
    config.attributes["connection"] = connection
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if revision is not None and revision not in known:
        raise NewerDatabase(revision)
    if revision is not None:
        _back_up(connection, revision)
    with connection.begin():
        if connection.dialect.name == "postgresql":
            # Of several processes that start together one does it; SQLite has but one writer.
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(ONE_AT_A_TIME)))
        command.upgrade(config, "head")
    _log.info("database migrated", before=revision, now=SCHEMA)


def _revision(connection: sa.Connection) -> str | None:
    with connection.begin():
        if not sa.inspect(connection).has_table("alembic_version"):
            return None
        return connection.execute(sa.text("SELECT version_num FROM alembic_version")).scalar()


def _back_up(connection: sa.Connection, revision: str) -> None:
    file = connection.engine.url.database
    if connection.dialect.name != "sqlite" or file in (None, "", ":memory:"):
        return
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    backup = Path(f"{file}.{revision}.{stamp}.backup")
    # Only a copy that is whole bears that name.
    part = backup.with_suffix(".part")
    try:
        create_private(part)
        with closing(sqlite3.connect(str(file))) as source, closing(sqlite3.connect(part)) as copy:
            source.backup(copy)
        part.replace(backup)
    except BaseException:
        part.unlink(missing_ok=True)
        raise
    _log.info("database copied before its migration", backup=str(backup))
