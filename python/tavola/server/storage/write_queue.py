"""The database thread that writes; it commits waiting statements together.

All statements that write run in one thread. Waiting jobs run in one transaction and are answered
after its commit (*group commit*), so all callers share the cost of a commit. The new events of all
their matches are inserted by one statement.
"""

from __future__ import annotations

import asyncio
import math
import os
import queue
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

import sqlalchemy as sa
import structlog

from tavola.server.storage import checkpoints

MAX_GROUP = 256
"""The maximum number of jobs in one commit."""

BUSY_SECONDS = 5
"""How long SQLite waits for another connection."""

DISK_FULL = "53100"
"""PostgreSQL's error code for a full disk."""

T = TypeVar("T")
R = TypeVar("R")
C = TypeVar("C", contravariant=True)

_log = structlog.get_logger("tavola.store")

OnCommit = Callable[[int, float], None]
"""Called with the number of jobs of a commit, and its seconds."""


SINGLE_STATEMENT = "tavola_single"
"""The option of connections whose transactions are of a single statement, which SQLite begins."""

READ_ONLY = "tavola_read_only"
"""The option of connections that only read, beside the one that writes."""


class BulkInsert(Protocol[C]):
    """Inserts what several callers gave."""

    def __call__(self, connection: sa.Connection, those: Sequence[C]) -> None:
        """Insert all of it, or raise."""


class WriteQueue(Generic[R]):
    """The one connection that writes to a database, and the thread that uses it.

    Args:
        engine: The database.
        insert: Inserts what `insert` was given, of several callers at once.
        is_single: Whether it does so by a single statement.
    """

    def __init__(
        self, engine: sa.Engine, insert: BulkInsert[R], is_single: Callable[[Sequence[R]], bool]
    ) -> None:
        self.on_commit: OnCommit = lambda pieces, seconds: None
        self._engine = engine
        self._single = engine.execution_options(**{SINGLE_STATEMENT: True})
        self._insert = insert
        self._is_single = is_single
        self._checkpoints = checkpoints.for_engine(engine)
        self._jobs: queue.SimpleQueue[_FunctionJob | _InsertJob[R] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="tavola-store", daemon=True)
        self._thread.start()

    @property
    def waiting(self) -> int:
        """How many pieces of work wait."""
        return self._jobs.qsize()

    async def run(self, work: Callable[[sa.Connection], T]) -> T:
        """Do work in a transaction, alone or with others'; return when it is durable.

        An exception of the work undoes the work, and is raised here.
        """
        job = _FunctionJob(work)
        self._jobs.put(job)
        # A caller that goes away does not call back what is being written.
        done: T = await job.done
        return done

    async def insert(self, entry: R) -> None:
        """Insert something, with what others insert; return when it is durable.

        Raises:
            sqlalchemy.exc.IntegrityError: This cannot be inserted; what others insert can.
        """
        job = _InsertJob(entry)
        self._jobs.put(job)
        await job.done

    def close(self) -> None:
        """Write the queue and close it."""
        self._jobs.put(None)
        self._thread.join()
        if self._checkpoints is not None:
            self._checkpoints.close()

    def _run(self) -> None:
        last = False
        while not last and (first := self._jobs.get()) is not None:
            group = [first]
            while len(group) < MAX_GROUP and not self._jobs.empty():
                job = self._jobs.get()
                if job is None:
                    last = True
                    break
                group.append(job)
            self._commit(group)

    def _commit(self, group: list[_FunctionJob | _InsertJob[R]]) -> None:
        began = time.perf_counter()
        try:
            try:
                self._write(group, together=True)
            except (sa.exc.IntegrityError, sa.exc.DataError):
                # Nothing is written. One after another, to see which cannot be.
                self._write(group, together=False)
        except Exception as error:  # every waiting caller receives it
            for job in group:
                job.error = job.error or error
            _log.exception("commit failed", commands=len(group))
        else:
            self.on_commit(len(group), time.perf_counter() - began)
            if self._checkpoints is not None:
                self._checkpoints.notify()
        for loop in {job.loop for job in group}:
            if not loop.is_closed():
                loop.call_soon_threadsafe(_resolve, [job for job in group if job.loop is loop])

    def _write(self, group: list[_FunctionJob | _InsertJob[R]], *, together: bool) -> None:
        entries = [job.entry for job in group if isinstance(job, _InsertJob)]
        single = together and len(entries) == len(group) and self._is_single(entries)
        # A fresh connection from the pool, without remains of a failed commit.
        with (self._single if single else self._engine).begin() as connection:
            if together and entries:
                self._insert(connection, entries)
            for job in group:
                if isinstance(job, _FunctionJob):
                    job.run(connection, job.work)
                elif not together:
                    job.run(connection, partial(self._insert, those=[job.entry]))


class _Job:
    """A job, and the caller that waits for it."""

    __slots__ = ("done", "error", "loop", "result")

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.done: asyncio.Future[Any] = self.loop.create_future()
        self.result: Any = None
        self.error: Exception | None = None

    def run(self, connection: sa.Connection, work: Callable[[sa.Connection], Any]) -> None:
        """Do it; an error undoes this alone, not what else is in the transaction."""
        try:
            with connection.begin_nested():
                self.result = work(connection)
        except Exception as error:
            self.error = error


class _FunctionJob(_Job):
    """Any work."""

    __slots__ = ("work",)

    def __init__(self, work: Callable[[sa.Connection], Any]) -> None:
        super().__init__()
        self.work = work


class _InsertJob(_Job, Generic[R]):
    """Something to be inserted."""

    __slots__ = ("entry",)

    def __init__(self, entry: R) -> None:
        super().__init__()
        self.entry = entry


def _resolve(jobs: Sequence[_Job]) -> None:
    """Notify the callers, in their thread."""
    for job in jobs:
        if job.done.cancelled():
            continue
        if job.error is None:
            job.done.set_result(job.result)
        else:
            job.done.set_exception(job.error)


def free_bytes(url: sa.URL) -> float:
    """Return the free space on the disk of an SQLite file; infinite for other databases."""
    file = checkpoints.sqlite_file(url)
    return math.inf if file is None else shutil.disk_usage(file.parent).free


def is_disk_full(error: Exception) -> bool:
    """Return whether a write failed because the disk is full."""
    match getattr(error, "orig", None):
        case sqlite3.Error() as cause:
            return getattr(cause, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_FULL
        case cause:
            return getattr(cause, "sqlstate", None) == DISK_FULL


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Switch to WAL mode. Other servers may open the same new file.

    SQLite refuses this switch at once, without its busy timeout, while another connection makes it.
    """
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL").close()
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)


def create_private(file: str | Path) -> None:
    """Create a file that only this user can read; an existing file stays as it is."""
    with suppress(OSError):  # SQLite says why it cannot be opened.
        os.close(os.open(file, os.O_CREAT | os.O_EXCL, 0o600))


def _hide_values(context: sa.ExceptionContext) -> None:
    """Reduce an error of PostgreSQL to its first line: the details contain values of the row."""
    for error in (context.original_exception, context.sqlalchemy_exception):
        if error is not None:
            error.args = tuple(str(text).partition("\n")[0] for text in error.args)


def create_engine(url: str) -> sa.Engine:
    """Return the database of an SQLAlchemy URL.

    SQLite runs in WAL mode with `synchronous=FULL`: a commit is on the disk before it is answered,
    and outlives the loss of the process as well as of the power. So does PostgreSQL's own.
    Errors contain no values, which may be secret.
    """
    parsed = sa.make_url(url)
    if parsed.get_backend_name() != "sqlite":
        engine = sa.create_engine(url, pool_pre_ping=True, hide_parameters=True)
        sa.event.listen(engine, "handle_error", _hide_values)
        return engine
    if (file := checkpoints.sqlite_file(parsed)) is None:
        # One connection, or there would be as many databases as threads.
        engine = sa.create_engine(
            url,
            poolclass=sa.StaticPool,
            connect_args={"check_same_thread": False},
            hide_parameters=True,
        )
    else:
        if checkpoints.uri_mode(parsed) == "rwc":
            file.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            create_private(file)
        engine = sa.create_engine(url, hide_parameters=True)

    @sa.event.listens_for(engine, "connect")
    def configure(connection: sqlite3.Connection, _: object) -> None:
        # SQLAlchemy, not the driver, begins transactions.
        connection.isolation_level = None
        _switch_to_wal(connection)
        for pragma in (
            "synchronous=FULL",
            "foreign_keys=ON",
            f"busy_timeout={BUSY_SECONDS * 1000}",
            # Nearly all are made by a thread of their own (`checkpoints.py`).
            "wal_autocheckpoint=20000",
        ):
            connection.execute(f"PRAGMA {pragma}").close()

    @sa.event.listens_for(engine, "begin")
    def begin(connection: sa.Connection) -> None:
        # A single statement is its own transaction. BEGIN and COMMIT would be two more, and between
        # two statements the thread may have to wait for the GIL.
        options = connection.get_execution_options()
        if READ_ONLY in options:
            connection.exec_driver_sql("BEGIN")
        elif SINGLE_STATEMENT not in options:
            connection.exec_driver_sql("BEGIN IMMEDIATE")

    return engine
