"""The migrations: they make the declared schema, once, and lose nothing."""

from __future__ import annotations

import importlib
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from tavola.server.storage import migrate
from tavola.server.storage.damage import all_faults
from tavola.server.storage.database import Database
from tavola.server.storage.migrate import SCHEMA
from tavola.server.storage.tables import metadata
from tavola.server.storage.write_queue import create_engine
from tests.server.databases import dump, on_sqlite, rows, url_of

AT = "2026-11-21T10:00:00.000+00:00"


def migrations() -> Config:
    """Return where the migrations are, as `migrate` configures them."""
    config = Config()
    config.set_main_option("script_location", str(Path(migrate.__file__).with_name("migrations")))
    return config


def schema_of(file: Path) -> set[tuple[object, ...]]:
    """The columns and the indexes of a file, and which tables never give a number again."""
    with closing(sqlite3.connect(file)) as opened:
        made = opened.execute(
            "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"
            " AND name NOT LIKE 'sqlite_%' AND name != 'alembic_version'"
        ).fetchall()
        return {(kind, name) for kind, name, _ in made} | {
            (table, "AUTOINCREMENT" in sql, *column[1:4])
            for kind, table, sql in made
            if kind == "table"
            for column in opened.execute(f"PRAGMA table_info({table})")
        }


@pytest.mark.long
@on_sqlite
def test_the_migrations_make_the_schema(tmp_path: Path) -> None:
    migrated, declared = tmp_path / "migrated.db", tmp_path / "declared.db"
    Database(url_of(migrated)).close()
    engine = sa.create_engine(f"sqlite:///{declared}")
    # It imports every table.
    importlib.import_module("tavola.server.app")
    metadata.create_all(engine)
    engine.dispose()
    assert schema_of(migrated) == schema_of(declared)


NUMBERED: dict[str, dict[str, Any]] = {
    "matches": {
        "id": "m",
        "game": "potlatch",
        "options": "{}",
        "rules_version": 1,
        "confirm": 0,
        "start": "",
        "created": AT,
        "engine_due": 0,
    },
    "accounts": {"id": "a", "name": "Ada", "folded": "ada", "password": "", "created": AT},
    "destinations": {
        "id": "d",
        "account": "a",
        "channel": "webhook",
        "address": "https://club.example",
        "secret": "s",
        "kinds": "[]",
        "language": "en",
        "agent": "",
        "created": AT,
        "confirmed": AT,
    },
    "runs": {"id": 7, "began": AT, "alive": AT},
    "chat": {"id": 7, "match": "m", "seat": 0, "text": "hello", "at": AT},
    "reports": {"line": 7, "seat": 1, "at": AT},
    "outbox": {"id": 7, "account": "a", "kind": "turn", "match": "m", "due": AT, "once": "turn"},
    "deliveries": {"id": 7, "event": 7, "destination": "d", "attempts": 0, "due": AT},
}
"""Rows that refer to each other, by table."""


def insert(connection: sa.Connection, table: str, values: dict[str, Any]) -> None:
    names = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join(f":{name}" for name in values)
    connection.execute(sa.text(f"INSERT INTO {table} ({names}) VALUES ({marks})"), values)


@on_sqlite
def test_numbers_of_deleted_rows_are_not_given_again(tmp_path: Path) -> None:
    file, config = tmp_path / "tavola.db", migrations()
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0025")
        for table, values in NUMBERED.items():
            insert(connection, table, values)
    engine.dispose()
    before = dump(file).replace("0025", SCHEMA)
    Database(url_of(file)).close()
    assert dump(file) == before
    engine = create_engine(f"sqlite:///{file}")
    with engine.begin() as connection:
        assert all_faults(connection) == []
        connection.execute(sa.text("DELETE FROM reports"))
        # Deliveries go with their event.
        connection.execute(sa.text("DELETE FROM outbox"))
        assert connection.execute(sa.text("SELECT id FROM deliveries")).all() == []
        for table in ("chat", "runs"):
            connection.execute(sa.text(f"DELETE FROM {table}"))
        for table in ("chat", "runs", "outbox"):
            insert(connection, table, {**NUMBERED[table], "id": None})
        insert(connection, "deliveries", {**NUMBERED["deliveries"], "id": None, "event": 8})
        for table in ("chat", "runs", "outbox", "deliveries"):
            assert connection.execute(sa.text(f"SELECT id FROM {table}")).scalars().all() == [8]
    engine.dispose()


OPEN = """
import sys
from tavola.server.storage.database import Database
import alembic.command
print("ready", flush=True)
sys.stdin.readline()
Database(sys.argv[1]).close()
"""


@pytest.mark.long
def test_of_several_servers_that_start_together_one_migrates(tmp_path: Path) -> None:
    url = url_of(tmp_path / "new.db")
    starting = [
        subprocess.Popen(
            [sys.executable, "-c", OPEN, url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    for one in starting:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready\n"
    for one in starting:
        assert one.stdin is not None
        one.stdin.write("go\n")
        one.stdin.flush()
    for one in starting:
        _, complaint = one.communicate(timeout=60)
        assert one.returncode == 0, complaint
    assert rows(url, "SELECT version_num FROM alembic_version") == [(SCHEMA,)]


def test_the_newest_migration_is_the_one_expected() -> None:
    assert ScriptDirectory.from_config(migrations()).get_heads() == [SCHEMA]


@on_sqlite
def test_destinations_from_before_still_receive_notifications(tmp_path: Path) -> None:
    file, config = tmp_path / "tavola.db", migrations()
    engine = create_engine(f"sqlite:///{file}")
    known = NUMBERED["destinations"] | {"agent": "Firefox", "confirmed": None}
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0026")
        insert(connection, "accounts", NUMBERED["accounts"])
        for channel in ("webhook", "push", "email"):
            insert(connection, "destinations", known | {"id": channel, "channel": channel})
        insert(connection, "destinations", known | {"id": "p", "channel": "push", "agent": ""})
    engine.dispose()
    Database(url_of(file)).close()
    with closing(sqlite3.connect(file)) as opened:
        found = opened.execute("SELECT id, confirmed, agent FROM destinations ORDER BY id")
        assert found.fetchall() == [
            ("email", None, ""),
            ("p", AT, "Browser"),
            ("push", AT, "Firefox"),
            ("webhook", AT, ""),
        ]
