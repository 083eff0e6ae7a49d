"""Databases on the command line: their names in messages, and the errors of opening one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator

if TYPE_CHECKING:
    import sqlalchemy as sa

T = TypeVar("T")


def shown(database: str) -> str:
    """Return the path of a database file, or a database URL without its password."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(database)
    except ArgumentError:
        return database
    if url.get_backend_name() == "sqlite" and url.database:
        return str(Path(url.database))
    return url.render_as_string(hide_password=True)


@contextmanager
def reported(translate: Translator, url: str) -> Iterator[None]:
    """Report why a database cannot be used.

    Raises:
        UsageError: If it cannot be used.
    """
    from sqlalchemy.exc import ArgumentError, NoSuchModuleError, SQLAlchemyError

    from tavola.server.storage.damage import DamagedDatabase
    from tavola.server.storage.migrate import NewerDatabase

    try:
        yield
    except DamagedDatabase as damaged:
        key = "damaged-database" if damaged.backup is None else "damaged-database-backup"
        raise UsageError(
            translate, key, database=shown(url), fault=damaged.fault, backup=damaged.backup
        ) from None
    except NewerDatabase as newer:
        raise UsageError(
            translate, "newer-database", database=shown(url), revision=newer.args[0]
        ) from None
    # A ValueError is a wrong value of a parameter of the URL.
    except (SQLAlchemyError, sqlite3.Error, ImportError, OSError, ValueError) as error:
        detail: object = getattr(error, "orig", None) or error
        if isinstance(error, NoSuchModuleError | ImportError):
            detail = translate("why.no-driver")
        elif isinstance(error, ArgumentError):
            detail = translate("why.not-a-database-url")
        raise UsageError(translate, "database", database=shown(url), detail=detail) from None


def check_existing(translate: Translator, url: str) -> None:
    """Check that a database exists and has the present schema, without changing it.

    Raises:
        UsageError: If it does not exist, is damaged, or has another schema.
    """
    import sqlalchemy as sa

    from tavola.server.storage.checkpoints import sqlite_file
    from tavola.server.storage.damage import check_file
    from tavola.server.storage.migrate import SCHEMA
    from tavola.server.storage.write_queue import create_engine

    with reported(translate, url):
        file = sqlite_file(sa.make_url(url))
        if file is not None and not file.is_file():
            raise UsageError(translate, "no-database", database=shown(url))
        check_file(url)
        engine = create_engine(url)
        try:
            with engine.connect() as connection:
                revision = None
                if sa.inspect(connection).has_table("alembic_version"):
                    wanted = sa.text("SELECT version_num FROM alembic_version")
                    revision = connection.execute(wanted).scalar()
        finally:
            engine.dispose()
    if revision is None:
        raise UsageError(translate, "no-database", database=shown(url))
    if revision != SCHEMA:
        key = "newer-database" if revision > SCHEMA else "older-database"
        raise UsageError(translate, key, database=shown(url), revision=revision)


def in_database(
    translate: Translator, url: str, work: Callable[[sa.Connection], T], *, reads: bool = False
) -> T:
    """Do work in a transaction of an existing database, beside a running server.

    Args:
        translate: The language.
        url: The database.
        work: The work.
        reads: Whether the work only reads, so that the server can write meanwhile.

    Raises:
        UsageError: If the database cannot be used.
        RequestError: As `work`; nothing has changed.
    """
    from tavola.server.storage.write_queue import READ_ONLY, create_engine

    check_existing(translate, url)
    with reported(translate, url):
        engine = create_engine(url)
        opened = engine.execution_options(**{READ_ONLY: True}) if reads else engine
        try:
            with opened.begin() as connection:
                return work(connection)
        finally:
            engine.dispose()
