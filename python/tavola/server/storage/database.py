"""The database of matches and their logs.

`write_queue.py` runs what writes in one thread. Readers have connections and threads of their own,
so that no search delays a commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, fields
from functools import partial
from operator import attrgetter
from typing import Any, NamedTuple, TypeVar, cast

import msgspec
import sqlalchemy as sa

from tavola.server.errors import RequestError
from tavola.server.matches.log import Event, Header, Seat, now
from tavola.server.matches.time_control import Time
from tavola.server.ops.breaks import with_breaks
from tavola.server.schema.sanitize import fold
from tavola.server.storage.rows import MAX_ROWS, Row, RowsStatement, write_rows
from tavola.server.storage.tables import events, matches, seats
from tavola.server.storage.write_queue import READ_ONLY, WriteQueue, create_engine

T = TypeVar("T")

READERS = 4
"""Number of threads that read."""

CHALLENGE_LIMIT = 200
"""How many offered matches are listed at most."""

InThread = Callable[[Callable[[], Any]], Awaitable[Any]]
"""Runs a function in a thread."""

Statement = Callable[[sa.Connection], None]
"""A function that runs inside another write's transaction."""

Query = sa.Select[Any]


class LogConflict(Exception):
    """Another server has written to this match's log: the match in memory is out of date."""


class Database:
    """The database, opened and brought up to date.

    Args:
        url: An SQLAlchemy URL.
    """

    def __init__(self, url: str) -> None:
        from tavola.server.storage.migrate import migrate

        self._engine = create_engine(url)
        try:
            with self._engine.connect() as connection:
                migrate(connection)
        except BaseException:
            self._engine.dispose()
            raise
        self.url = self._engine.url
        self.write_queue = WriteQueue(self._engine, _append_events, _is_single_statement)
        self._reading = self._engine.execution_options(**{READ_ONLY: True})
        # A database in memory has one connection.
        shared = isinstance(self._engine.pool, sa.StaticPool)
        self._readers = None if shared else ThreadPoolExecutor(READERS, "tavola-reader")
        self._closed = False

    async def create(
        self, header: Header, log: list[Event], *, engine_due: bool, extra: Sequence[Statement] = ()
    ) -> None:
        """Store a new match with what chance does first; return when it is durable.

        Args:
            header: What is fixed.
            log: What chance does first.
            engine_due: Whether an engine is to act.
            extra: What else is written in the same transaction.
        """

        def write(connection: sa.Connection) -> None:
            connection.execute(
                matches.insert().values(
                    id=header.id,
                    game=header.game,
                    options=header.options,
                    rules_version=header.rules_version,
                    confirm=header.confirm,
                    start=header.start,
                    time=msgspec.to_builtins(header.time),
                    seed=header.seed,
                    contribute=header.contribute,
                    rated=header.rated,
                    created=header.created,
                    engine_due=engine_due,
                    offered=header.created if header.offered else None,
                )
            )
            connection.execute(
                seats.insert(),
                [
                    {
                        "match": header.id,
                        "seat": number,
                        "folded": fold(seat.name),
                        **asdict(seat),
                    }
                    for number, seat in enumerate(header.seats)
                ],
            )
            if log:
                _append_events(connection, [_NewEvents(header.id, log, None)])
            for statement in extra:
                statement(connection)

        await self.run(write)

    async def append(
        self,
        match: str,
        new_events: list[Event],
        *,
        engine_due: bool | None = None,
        extra: Sequence[Statement] = (),
    ) -> None:
        """Append to a match's log; return when it is durable.

        Args:
            match: The match.
            new_events: What is appended.
            engine_due: Whether an engine is to act then; `None`: as before.
            extra: What else is written in the same transaction.

        Raises:
            LogConflict: The log has events of these numbers already.
        """
        rows = [statement for statement in extra if isinstance(statement, Row)]
        others = [statement for statement in extra if not isinstance(statement, Row)]
        entry = _NewEvents(match, new_events, engine_due, rows)

        def write(connection: sa.Connection) -> None:
            try:
                _append_events(connection, [entry])
            except sa.exc.IntegrityError as error:
                raise LogConflict from error
            for statement in others:
                statement(connection)

        if others:
            await self.run(write)
            return
        try:
            await self.write_queue.insert(entry)
        except sa.exc.IntegrityError as error:
            raise LogConflict from error

    async def load(
        self, match: str, run: InThread | None = None
    ) -> tuple[Header, list[Event]] | None:
        """Return a match and its whole log, or `None` if there is none.

        Args:
            match: The match.
            run: As in `read`.
        """

        def read(connection: sa.Connection) -> tuple[Header, list[Event]] | None:
            row = connection.execute(matches.select().where(matches.c.id == match)).one_or_none()
            if row is None:
                return None
            entries = connection.execute(
                sa.select(*(events.c[name] for name in _EVENT_COLUMNS))
                .where(events.c.match == match)
                .order_by(events.c.seq)
            )
            (header,) = load_headers(connection, [row])
            return header, [
                Event(**dict(zip(_EVENT_COLUMNS, entry, strict=True)))
                for some in with_breaks(entries.partitions(MAX_ROWS))
                for entry in some
            ]

        return await self.read(read, run)

    async def version(self, match: str) -> tuple[Header, int] | None:
        """Return a match and the number of its latest event, or `None` if there is none."""

        def read(connection: sa.Connection) -> tuple[Header, int] | None:
            row = connection.execute(matches.select().where(matches.c.id == match)).one_or_none()
            if row is None:
                return None
            latest = sa.select(sa.func.max(events.c.seq)).where(events.c.match == match)
            (header,) = load_headers(connection, [row])
            return header, connection.execute(latest).scalar_one() or 0

        return await self.read(read)

    async def engines_due(self) -> list[str]:
        """Return the matches in which an engine is to act."""

        def read(connection: sa.Connection) -> list[str]:
            return list(
                connection.execute(sa.select(matches.c.id).where(matches.c.engine_due)).scalars()
            )

        return await self.read(read)

    async def open_challenges(self, since: str) -> list[Header]:
        """Return open challenges whose creator was present after a time, the oldest first.

        At most `CHALLENGE_LIMIT`, the latest.
        """
        is_open = seats.c.kind == "person", seats.c.token_hash.is_(None)
        wanted = (
            matches.select()
            .where(matches.c.offered >= since)
            .where(sa.exists().where(seats.c.match == matches.c.id, *is_open))
            .order_by(matches.c.created.desc(), matches.c.id.desc())
            .limit(CHALLENGE_LIMIT)
        )

        def read(connection: sa.Connection) -> list[Header]:
            return load_headers(connection, connection.execute(wanted).all()[::-1])

        return await self.read(read)

    async def touch_challenges(self, those: list[str]) -> None:
        """Store that the creators of these challenges are present."""

        def write(connection: sa.Connection) -> None:
            connection.execute(
                matches.update()
                .where(matches.c.id.in_(those), matches.c.offered.is_not(None))
                .values(offered=now())
            )

        await self.run(write)

    async def check(self) -> None:
        """Check that the database answers."""
        await self.run(lambda connection: connection.execute(sa.text("SELECT 1")))

    def close(self) -> None:
        """Write the queue and close the database."""
        if not self._closed:
            self._closed = True
            if self._readers is not None:
                self._readers.shutdown()
            self.write_queue.close()
            self._engine.dispose()

    async def run(self, work: Callable[[sa.Connection], T]) -> T:
        """Do work in a transaction, alone or with others'; return when it is durable.

        An exception of the work undoes the work, and is raised here.
        """
        return await self.write_queue.run(work)

    async def rows(self, query: Query) -> Sequence[sa.Row[Any]]:
        """Return the rows of a query, which sees all work before it."""
        return await self.run(lambda connection: connection.execute(query).all())

    async def row(self, query: Query) -> sa.Row[Any] | None:
        """Return the only row of a query, which sees all work before it; `None`: there is none."""
        return await self.run(lambda connection: connection.execute(query).one_or_none())

    async def scalar(self, query: Query) -> Any:
        """Return the first value of a query, which sees all work before it; `None`: no row."""
        return await self.run(lambda connection: connection.execute(query).scalar())

    async def write(self, statements: Sequence[Statement]) -> None:
        """Write in one transaction; return when it is durable."""

        def work(connection: sa.Connection) -> None:
            for statement in statements:
                statement(connection)

        await self.run(work)

    async def read(self, work: Callable[[sa.Connection], T], run: InThread | None = None) -> T:
        """Read in a transaction that sees every commit so far, without delaying the next ones.

        Args:
            work: Reads.
            run: Runs it in a thread of the caller's, such as one of low priority. Default: in one
                of the threads that read.
        """
        if self._readers is None:
            return await self.write_queue.run(work)
        read = partial(self._read, work)
        if run is not None:
            return cast("T", await run(read))
        return await asyncio.get_running_loop().run_in_executor(self._readers, read)

    def _read(self, work: Callable[[sa.Connection], T]) -> T:
        with self._reading.connect() as connection:
            return work(connection)


def take_seat(match: str, number: int, seat: Seat) -> Statement:
    """Return the statement that gives an open seat to the first player.

    It raises `RequestError`, `seat-taken`, if another player was first.
    """
    is_open = (seats.c.kind == "person") & seats.c.token_hash.is_(None)
    statement = (
        seats.update()
        .where(seats.c.match == match, seats.c.seat == number, is_open)
        .values(
            name=seat.name,
            folded=fold(seat.name),
            token_hash=seat.token_hash,
            account=seat.account,
            member=seat.member,
            bot=seat.bot,
        )
    )

    def write(connection: sa.Connection) -> None:
        if connection.execute(statement).rowcount != 1:
            raise RequestError("seat-taken")

    return write


def withdraw_challenge(match: str) -> Statement:
    """Return the statement that withdraws a challenge."""
    statement = matches.update().where(matches.c.id == match).values(offered=None)

    def write(connection: sa.Connection) -> None:
        connection.execute(statement)

    return write


class _NewEvents(NamedTuple):
    """Entries for the log of a match."""

    match: str
    new: list[Event]
    engine_due: bool | None
    rows: Sequence[Row] = ()


_DUE = (
    matches.update()
    .where(matches.c.id == sa.bindparam("of_match"))
    .values(engine_due=sa.bindparam("due"))
)


_EVENT_COLUMNS = Event.__struct_fields__

_values = attrgetter(*_EVENT_COLUMNS)

_LOG = RowsStatement(events, ("match", *_EVENT_COLUMNS))


def _append_events(connection: sa.Connection, those: Sequence[_NewEvents]) -> None:
    _LOG.execute(connection, [(one.match, *_values(event)) for one in those for event in one.new])
    write_rows(connection, [row for one in those for row in one.rows])
    due = [
        {"of_match": one.match, "due": one.engine_due}
        for one in those
        if one.engine_due is not None
    ]
    if due:
        connection.execute(_DUE, due)


def _is_single_statement(those: Sequence[_NewEvents]) -> bool:
    """Return whether a single statement appends them."""
    rows = sum(len(one.new) for one in those)
    return rows <= MAX_ROWS and all(one.engine_due is None and not one.rows for one in those)


def load_headers(connection: sa.Connection, rows: Sequence[sa.Row[Any]]) -> list[Header]:
    """Return the headers of matches, in their order, of their rows and those of their seats."""
    sitting: dict[str, list[Seat]] = {row.id: [] for row in rows}
    found = connection.execute(
        sa.select(seats.c.match, *(seats.c[field.name] for field in fields(Seat)))
        .where(seats.c.match.in_(sitting))
        .order_by(seats.c.seat)
    )
    for seat in map(dict, found.mappings()):
        sitting[seat.pop("match")].append(Seat(**seat))
    boards = sa.table("tournament_boards", sa.column("match"), sa.column("tournament"))
    playing = connection.execute(sa.select(boards).where(boards.c.match.in_(sitting)))
    tournaments = {row.match: row.tournament for row in playing}
    return [_header(row, sitting[row.id], tournaments.get(row.id)) for row in rows]


def _header(row: sa.Row[Any], sitting: Sequence[Seat], tournament: str | None) -> Header:
    return Header(
        id=row.id,
        game=row.game,
        options=row.options,
        rules_version=row.rules_version,
        confirm=row.confirm,
        start=row.start,
        time=msgspec.convert(row.time, Time | None),
        seed=row.seed,
        contribute=row.contribute,
        offered=row.offered is not None,
        created=row.created,
        rated=row.rated,
        tournament=tournament,
        seats=tuple(sitting),
    )
