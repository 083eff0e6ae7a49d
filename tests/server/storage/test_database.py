"""The database: durable, one event to a number, migrated with a copy made first."""

from __future__ import annotations

import asyncio
import re
import sqlite3
import threading
import traceback
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.cli.serve import Server
from tavola.server.live.account_matches import _SUMMARY
from tavola.server.matches.log import Event, Header, Seat
from tavola.server.settings import Settings
from tavola.server.storage import checkpoints, migrate
from tavola.server.storage.damage import DamagedDatabase, check_file
from tavola.server.storage.database import Database, LogConflict
from tavola.server.storage.migrate import SCHEMA, NewerDatabase
from tavola.server.storage.rows import Row
from tests.server.databases import on_sqlite, rows, url_of
from tests.server.live_server import PATIENCE, wait_until

HEADER = Header(
    id="m",
    game="potlatch",
    options={"actions": "2"},
    rules_version=1,
    confirm=True,
    start="start",
    seats=(
        Seat(kind="person", name="Ada", seconds=None, token_hash="hash"),
        Seat(kind="engine", name="", seconds=0.5, token_hash=None),
    ),
)


AT = "2026-11-21T10:00:00.000+00:00"


def event(seq: int, command: str | None = None) -> Event:
    return Event(
        seq=seq, kind="action", seat=0, token="Pw", command=command, position="p", key="k", at=AT
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "new" / "tavola.db"


@pytest.fixture
def store(file: Path) -> Iterator[Database]:
    opened = Database(url_of(file))
    yield opened
    opened.close()


def test_a_match_is_read_as_it_was_written(store: Database) -> None:
    async def work() -> None:
        await store.create(HEADER, [], engine_due=False)
        assert await store.load("m") == (HEADER, [])
        await store.append("m", [event(1, "a"), event(2)], engine_due=True)
        assert await store.load("m") == (HEADER, [event(1, "a"), event(2)])
        assert await store.engines_due() == ["m"]
        assert await store.load("n") is None

    asyncio.run(work())


# Entries alone are a single statement, and with something else several in a transaction.
@pytest.mark.parametrize("due", [None, False], ids=["single", "several"])
def test_a_number_is_given_once(store: Database, due: bool | None) -> None:
    """Two servers on one database: the second write fails, and stores nothing."""

    async def work() -> None:
        await store.create(HEADER, [], engine_due=False)
        await store.append("m", [event(1)], engine_due=due)
        with pytest.raises(LogConflict):
            await store.append("m", [event(2), event(1)], engine_due=None if due is None else True)
        assert await store.load("m") == (HEADER, [event(1)])
        assert await store.engines_due() == []

    asyncio.run(work())


@pytest.mark.parametrize("due", [None, False], ids=["single", "several"])
def test_a_commands_id_is_stored_once(store: Database, due: bool | None) -> None:
    async def work() -> None:
        await store.create(HEADER, [], engine_due=False)
        await store.append("m", [event(1, "a")], engine_due=due)
        with pytest.raises(LogConflict):
            await store.append("m", [event(2, "a")], engine_due=due)

    asyncio.run(work())


@pytest.mark.parametrize("due", [None, False], ids=["single", "several"])
def test_what_fails_in_a_group_leaves_the_rest_standing(store: Database, due: bool | None) -> None:
    async def work() -> list[object]:
        await store.create(HEADER, [], engine_due=False)
        tasks = [store.append("m", [event(seq)], engine_due=due) for seq in (1, 2, 1, 3, 2)]
        return list(await asyncio.gather(*tasks, return_exceptions=True))

    results = asyncio.run(work())
    assert [type(result) for result in results] == [
        type(None),
        type(None),
        LogConflict,
        type(None),
        LogConflict,
    ]


def test_what_the_database_cannot_hold_fails_alone(
    store: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert = store.write_queue._insert

    def particular(connection: sa.Connection, those: Sequence[Any]) -> None:
        if any(one.command == "bad" for entry in those for one in entry.new):
            raise sa.exc.DataError("INSERT", None, ValueError("no such text"))
        insert(connection, those)

    async def work() -> list[object]:
        await store.create(HEADER, [], engine_due=False)
        monkeypatch.setattr(store.write_queue, "_insert", particular)
        tasks = [store.append("m", [event(1)]), store.append("m", [event(2, "bad")])]
        return list(await asyncio.gather(*tasks, return_exceptions=True))

    assert [type(result) for result in asyncio.run(work())] == [type(None), sa.exc.DataError]


def test_entries_that_wait_are_a_single_statement(store: Database) -> None:
    statements: list[str] = []

    def note(*told: Any) -> None:
        statements.append(told[2].split()[0])

    async def work() -> int:
        await store.create(HEADER, [], engine_due=False)
        await store.append("m", [event(1)])
        sa.event.listen(store._engine, "before_cursor_execute", note)
        await asyncio.gather(*(store.append("m", [event(seq)]) for seq in range(2, 50)))
        sa.event.remove(store._engine, "before_cursor_execute", note)
        loaded = await store.load("m")
        assert loaded is not None
        return len(loaded[1])

    assert asyncio.run(work()) == 49
    # Entries that wait during a write are written after it.
    assert set(statements) == {"INSERT"}
    assert len(statements) < 10


def test_rows_beside_entries_are_written_with_them_or_not_at_all(
    store: Database, file: Path
) -> None:
    statements: list[str] = []

    def note(*told: Any) -> None:
        statements.append(told[2].split()[0])

    def entry(match: str, seq: int) -> Any:
        values = (match, seq, "running", 0, AT, None, None, AT)
        return store.append(match, [event(seq)], extra=[Row(_SUMMARY, values)])

    async def work() -> list[object]:
        for match in ("m", "n"):
            await store.create(replace(HEADER, id=match), [], engine_due=False)
        await entry("m", 1)
        sa.event.listen(store._engine, "before_cursor_execute", note)
        await asyncio.gather(*(entry("n" if seq % 2 else "m", seq) for seq in range(2, 100)))
        sa.event.remove(store._engine, "before_cursor_execute", note)
        tasks = [entry("m", 101), entry("m", 7), entry("n", 102)]
        return list(await asyncio.gather(*tasks, return_exceptions=True))

    # Event 7 exists in the other match only.
    assert [type(result) for result in asyncio.run(work())] == [type(None)] * 3
    # One statement for the entries and one for the rows of all callers, without savepoints.
    assert set(statements) <= {"BEGIN", "INSERT"}
    assert statements.count("INSERT") < 20
    assert rows(file, "SELECT match, seq FROM standings ORDER BY match") == [("m", 7), ("n", 102)]

    async def conflict() -> list[object]:
        tasks = [entry("m", 7), entry("n", 103)]
        return list(await asyncio.gather(*tasks, return_exceptions=True))

    assert [type(result) for result in asyncio.run(conflict())] == [LogConflict, type(None)]


def test_what_waits_is_committed_together(store: Database) -> None:
    commits = 0

    def count(_: object) -> None:
        nonlocal commits
        commits += 1

    sa.event.listen(store._engine, "commit", count)

    async def work() -> None:
        await store.create(HEADER, [], engine_due=False)
        tasks = [store.append("m", [event(seq)], engine_due=False) for seq in range(1, 201)]
        await asyncio.gather(*tasks)

    asyncio.run(work())
    assert commits < 100


@on_sqlite
def test_a_commit_reaches_the_disk_before_it_is_answered(store: Database) -> None:
    def pragma(name: str) -> object:
        with store._engine.connect() as connection:
            return connection.exec_driver_sql(f"PRAGMA {name}").scalar()

    assert pragma("journal_mode") == "wal"
    assert pragma("synchronous") == 2  # FULL
    assert pragma("foreign_keys") == 1


@pytest.mark.long
@on_sqlite
def test_the_file_is_brought_up_to_date_beside_the_commits(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoints, "INTERVAL", 0.01)
    monkeypatch.setattr(checkpoints, "RESTART_PAGES", 50)
    alone = tmp_path / "alone.db"

    def entries_without_the_log() -> int:
        alone.write_bytes(file.read_bytes())
        try:
            with closing(sqlite3.connect(alone)) as connection:
                return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
        except sqlite3.DatabaseError:
            return 0  # it was being written

    with closing(Database(url_of(file))) as store:
        asyncio.run(store.create(HEADER, [], engine_due=False))
        stored = 0

        def log_is_begun_again() -> bool:
            nonlocal stored
            for _ in range(50):
                stored += 1
                asyncio.run(store.append("m", [event(stored)]))
            # A commit appends a page of 4 KB at least.
            return Path(f"{file}-wal").stat().st_size < stored * 4096

        wait_until(log_is_begun_again)
        wait_until(lambda: entries_without_the_log() == stored)


def test_a_failed_commit_is_answered_with_an_error(store: Database) -> None:
    def fail(_: object) -> None:
        raise sa.exc.OperationalError("COMMIT", None, OSError("disk full"))

    async def work() -> None:
        await store.create(HEADER, [], engine_due=False)
        sa.event.listen(store._engine, "commit", fail)
        with pytest.raises(sa.exc.OperationalError):
            await store.append("m", [event(1)], engine_due=False)
        sa.event.remove(store._engine, "commit", fail)
        assert await store.load("m") == (HEADER, [])
        await store.append("m", [event(1)], engine_due=False)
        assert await store.load("m") == (HEADER, [event(1)])

    asyncio.run(work())


@pytest.mark.parametrize("spoilt", [{"id": "m"}, {"game": None}])
def test_errors_contain_no_secrets(store: Database, spoilt: dict[str, Any]) -> None:
    secret = "5ec2e7" * 8

    async def work() -> None:
        await store.create(HEADER, [], engine_due=False)
        header = replace(HEADER, **{"id": "m2", "seed": secret} | spoilt)
        with pytest.raises(sa.exc.DBAPIError) as raised:
            await store.create(header, [], engine_due=False)
        assert secret not in "".join(traceback.format_exception(raised.value))

    asyncio.run(work())


@on_sqlite
def test_a_database_is_copied_before_its_migration(
    store: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asyncio.run(store.create(HEADER, [], engine_due=False))
    store.close()
    monkeypatch.setattr(migrate, "SCHEMA", "9998")
    engine = sa.create_engine(f"sqlite:///{file}")
    with engine.connect() as connection:
        migrate.migrate(connection)
    engine.dispose()
    (backup,) = file.parent.glob("*.backup")
    assert re.fullmatch(rf"tavola\.db\.{SCHEMA}\.\d{{8}}T\d{{6}}\.backup", backup.name)
    with closing(sqlite3.connect(backup)) as opened:
        assert opened.execute("SELECT id FROM matches").fetchall() == [("m",)]


def new_server() -> Server:
    return Server(
        translate=Translator("en"),
        host="",
        port=0,
        settings=Settings(),
        browser=False,
        verbose=False,
    )


@on_sqlite
def test_without_room_for_the_copy_nothing_is_migrated(
    store: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Full(sqlite3.Connection):
        def backup(self, target: sqlite3.Connection, **_: Any) -> None:
            target.execute("CREATE TABLE begun (x)")
            raise sqlite3.OperationalError("database or disk is full")

    store.close()
    connect = sqlite3.connect
    monkeypatch.setattr(migrate, "SCHEMA", "9998")
    monkeypatch.setattr("sqlite3.connect", partial(connect, factory=Full))
    with pytest.raises(UsageError, match="disk is full"):
        new_server()._open(f"sqlite:///{file}")
    assert not [path for path in file.parent.iterdir() if path.suffix in (".backup", ".part")]
    with closing(connect(file)) as opened:
        assert opened.execute("SELECT version_num FROM alembic_version").fetchall() == [(SCHEMA,)]


@on_sqlite
def test_only_its_user_can_read_a_new_database(tmp_path: Path, store: Database, file: Path) -> None:
    Database(f"sqlite:///{tmp_path / 'other.db'}").close()
    for made in (tmp_path / "other.db", file, *file.parent.glob("*-wal")):
        assert made.stat().st_mode & 0o077 == 0


@on_sqlite
def test_a_damaged_database_is_reported_with_its_backup(store: Database, file: Path) -> None:
    store.close()
    check_file(f"sqlite:///{file}")
    whole = file.read_bytes()
    page = len(whole) // 4096 // 2 * 4096
    file.write_bytes(whole[:page] + b"\xff" * 4096 + whole[page + 4096 :])
    with pytest.raises(DamagedDatabase) as raised:
        check_file(f"sqlite:///{file}")
    assert raised.value.fault
    assert raised.value.backup is None
    backup = file.with_name("tavola.db.0011.20260101T000000.backup")
    backup.touch()
    file.write_bytes(b"not a database" * 1000)
    with pytest.raises(UsageError, match=backup.name):
        new_server()._open(f"sqlite:///{file}")


@on_sqlite
def test_a_database_of_a_later_version_is_left_alone_and_let_go_of(
    store: Database, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.close()
    with closing(sqlite3.connect(file)) as opened:
        opened.execute("UPDATE alembic_version SET version_num = '9999'")
        opened.commit()
    before = file.read_bytes()
    made: list[sqlite3.Connection] = []
    connect = sqlite3.dbapi2.connect

    def kept(*where: Any, **how: Any) -> sqlite3.Connection:
        made.append(connect(*where, **how))
        return made[-1]

    monkeypatch.setattr("sqlite3.dbapi2.connect", kept)
    with pytest.raises(NewerDatabase, match="9999"):
        Database(f"sqlite:///{file}")
    (connection,) = made
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        connection.execute("SELECT 1")
    assert file.read_bytes() == before
    assert list(file.parent.glob("*.backup")) == []


def test_a_database_may_be_in_memory() -> None:
    opened = Database("sqlite://")
    try:

        async def work() -> None:
            await opened.create(HEADER, [], engine_due=False)
            assert await opened.load("m") == (HEADER, [])

        asyncio.run(work())
    finally:
        opened.close()


def test_reading_does_not_wait_for_what_writes(file: Path) -> None:
    store = Database(url_of(file))
    gate = threading.Event()

    async def work() -> None:
        await store.create(HEADER, [], engine_due=False)
        slow = asyncio.create_task(store.run(lambda _: gate.wait(PATIENCE)))
        assert await store.load("m") is not None
        assert not slow.done()
        gate.set()
        assert await slow
        # Nor the other way round; and a reader sees every commit before it.
        gate.clear()
        slow = asyncio.create_task(store.read(lambda _: gate.wait(PATIENCE)))
        await store.append("m", [event(1)])
        assert await store.version("m") == (HEADER, 1)
        assert not slow.done()
        gate.set()
        assert await slow

    try:
        asyncio.run(work())
    finally:
        store.close()
