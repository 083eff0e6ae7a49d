"""The outbox: events that a person should hear of, written in the transaction of the event.

A person is an account, or a guest who holds a seat's token. An event is due at once or later, and
unread until the person returns to its match or reads the list.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, NamedTuple

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from tavola.server.accounts import relations
from tavola.server.accounts.accounts import accounts
from tavola.server.errors import RequestError
from tavola.server.matches.log import Header, Seat, format_time, now
from tavola.server.outbox import deliveries, destinations
from tavola.server.schema.accounts import OwnNotification
from tavola.server.schema.notifications import Kind, Notification, NotificationList
from tavola.server.storage.database import Statement, load_headers
from tavola.server.storage.tables import matches, metadata, seats

LIST_LIMIT = 50
"""How many unread events a list contains at most."""

INVITE = "invite "
"""How the detail of a challenge to a person begins; the seat follows."""

DECLINED = "declined"
"""The detail of a challenge that the person declined."""

STREAMED_GAMES: tuple[Kind, ...] = ("turn", "time", "over", "round")
"""The kinds that the games in an account's stream also show."""

KEEP_DAYS = 60
"""Days after which an event is deleted."""

outbox = sa.Table(
    "outbox",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    # The person: an account, or else the hash of a seat's token.
    sa.Column("account", sa.String(32), nullable=True),
    sa.Column("holder", sa.String(64), nullable=True),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("match", sa.ForeignKey("matches.id"), nullable=True, index=True),
    # The seat that caused it, and what the event is about: the kind of a request.
    sa.Column("seat", sa.Integer, nullable=True),
    sa.Column("detail", sa.String(64), nullable=True),
    sa.Column("due", sa.String(32), nullable=False, index=True),
    sa.Column("read", sa.String(32), nullable=True),
    # Events with one key are one until the person returns; null afterwards.
    sa.Column("once", sa.String(160), nullable=True, unique=True),
    sa.Index("ix_outbox_account", "account", "read"),
    sa.Index("ix_outbox_holder", "holder", "read"),
    # Pages, streams and receivers of deliveries remember the numbers that they have.
    sqlite_autoincrement=True,
)


class Person(NamedTuple):
    """An account, or a guest by the hash of a seat's token."""

    account: str | None
    holder: str | None

    @property
    def key(self) -> str:
        """The account or the hash."""
        return self.account or self.holder or ""


class Reader(NamedTuple):
    """A client that reads: with an account, tokens of seats by their hashes, or both."""

    account: str | None
    holders: frozenset[str]

    def reads(self, person: Person) -> bool:
        """Return whether a person's events are its own."""
        return person.holder in self.holders or (
            person.account is not None and person.account == self.account
        )

    @property
    def condition(self) -> sa.ColumnElement[bool]:
        """The condition that a row of the outbox is its own."""
        own = outbox.c.holder.in_(self.holders)
        return own if self.account is None else own | (outbox.c.account == self.account)


class NewEvent(NamedTuple):
    """An event for a person.

    `once`: what makes it one event while the person is away. `sender`: the account that causes it;
    a person who blocks that account is not notified.
    """

    person: Person
    kind: Kind
    match: str | None
    once: str
    seat: int | None = None
    detail: str | None = None
    due: str | None = None
    sender: str | None = None


def person_of(seat: Seat) -> Person | None:
    """Return the person at a seat, or `None` for an engine and at an open seat."""
    if seat.kind != "person" or (seat.account is None and seat.token_hash is None):
        return None
    return Person(seat.account, None if seat.account is not None else seat.token_hash)


def add(new: Sequence[NewEvent]) -> Statement:
    """Return the statement that stores events, but for those of deleted accounts."""

    def write(connection: sa.Connection) -> None:
        dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
        named = {event.person.account for event in new} - {None}
        known = set(
            connection.execute(sa.select(accounts.c.id).where(accounts.c.id.in_(named))).scalars()
            if named
            else ()
        )
        rows: list[dict[str, Any]] = [
            {
                "account": event.person.account,
                "holder": event.person.holder,
                "kind": event.kind,
                "match": event.match,
                "seat": event.seat,
                "detail": event.detail,
                "due": event.due or now(),
                "once": f"{event.kind} {event.once} {event.person.key}",
            }
            for event in new
            if event.person.account is None
            or (event.person.account in known and not _is_blocked(connection, event))
        ]
        for row in rows:
            insert = dialect.insert(outbox).values(row)
            once = insert.on_conflict_do_nothing(index_elements=["once"]).returning(outbox.c.id)
            number = connection.execute(once).scalar()
            if number is not None and row["account"] is not None:
                deliveries.add(connection, number, row["account"], row["kind"], row["due"])

    return write


def _is_blocked(connection: sa.Connection, event: NewEvent) -> bool:
    """Return whether the person blocks the sender of the event."""
    if event.sender is None or event.person.account is None:
        return False
    return bool(relations.blocking(connection, event.sender, [event.person.account]))


def cancel_scheduled(match: str) -> Statement:
    """Return the statement that deletes the events of a match that are not due yet."""

    def write(connection: sa.Connection) -> None:
        later = (outbox.c.match == match) & (outbox.c.due > now())
        connection.execute(outbox.delete().where(later))

    return write


def returned(match: str, persons: Iterable[Person]) -> sa.Update:
    """Return the statement that marks the events of persons who return to a match as read."""
    known = tuple(persons)
    own = outbox.c.account.in_([one.account for one in known if one.account]) | outbox.c.holder.in_(
        [one.holder for one in known if one.holder]
    )
    at = now()
    return (
        outbox.update()
        .where(outbox.c.match == match, outbox.c.once.is_not(None), outbox.c.due <= at, own)
        .values(read=sa.func.coalesce(outbox.c.read, at), once=None)
    )


def execute(statement: sa.Executable) -> Statement:
    """Return a statement of SQL as a function that runs inside another write's transaction."""

    def write(connection: sa.Connection) -> None:
        connection.execute(statement)

    return write


def mark_read(reader: Reader, ids: Sequence[int] | None) -> Statement:
    """Return the statement that marks a reader's events as read: some, or all that are due."""

    def write(connection: sa.Connection) -> None:
        at = now()
        wanted = outbox.update().where(reader.condition, outbox.c.read.is_(None))
        if ids is None:
            wanted = wanted.where(outbox.c.due <= at, _is_in_bell(connection, reader))
        else:
            wanted = wanted.where(outbox.c.id.in_(ids))
        # An event without a match ends its absence here: nothing else is there to return to.
        once = sa.case((outbox.c.match.is_(None), None), else_=outbox.c.once)
        connection.execute(wanted.values(read=at, once=once))

    return write


def mark_streamed(account: str, ids: Collection[int]) -> Statement:
    """Return the statement after a program of an account has received events on a stream.

    No channel delivers them later. Those of `STREAMED_GAMES` are read; the program or the person
    still handles the others.
    """
    here = outbox.c.id.in_(ids) & (outbox.c.account == account)

    def write(connection: sa.Connection) -> None:
        deliveries.delete_of(connection, sa.select(outbox.c.id).where(here))
        read = here & outbox.c.kind.in_(STREAMED_GAMES) & outbox.c.read.is_(None)
        connection.execute(outbox.update().where(read).values(read=now()))

    return write


def _is_in_bell(connection: sa.Connection, reader: Reader) -> sa.ColumnElement[bool]:
    """Return the condition that the bell of a reader shows a row of the outbox."""
    if reader.account is None:
        return sa.true()
    kinds = destinations.bell_kinds(connection, reader.account)
    return outbox.c.account.is_(None) | outbox.c.kind.in_(kinds)


def unread(connection: sa.Connection, reader: Reader, *, every: bool = False) -> NotificationList:
    """Return a reader's unread events, the latest first.

    Args:
        connection: To the database.
        reader: Whose events.
        every: Whether to return also the kinds that its bell does not show.
    """
    is_unread = reader.condition & outbox.c.read.is_(None) & (outbox.c.due <= now())
    if not every:
        is_unread &= _is_in_bell(connection, reader)
    rows = connection.execute(
        outbox.select()
        .where(is_unread)
        .order_by(outbox.c.due.desc(), outbox.c.id.desc())
        .limit(LIST_LIMIT)
    ).all()
    count = len(rows)
    if count == LIST_LIMIT:
        count = connection.execute(
            sa.select(sa.func.count()).select_from(outbox).where(is_unread)
        ).scalar_one()
    ids = {row.match for row in rows if row.match is not None}
    found = connection.execute(matches.select().where(matches.c.id.in_(ids))).all() if ids else []
    headers = {header.id: header for header in load_headers(connection, found)}
    return NotificationList(
        count, tuple(_notification(row, headers.get(row.match)) for row in rows)
    )


def _notification(row: sa.Row[tuple[object, ...]], header: Header | None) -> Notification:
    named = header is not None and row.seat is not None
    return Notification(
        id=row.id,
        kind=row.kind,
        at=row.due,
        match=row.match,
        game=None if header is None else header.game,
        by=header.seats[row.seat].name if named and header is not None else None,
        detail=row.detail,
    )


def _invitation(account: str, match: str) -> sa.ColumnElement[bool]:
    """Return the condition that a row of the outbox invites an account to a match."""
    return sa.and_(
        outbox.c.account == account,
        outbox.c.match == match,
        outbox.c.kind == "challenge",
        outbox.c.detail.startswith(INVITE),
    )


def invited_seat(connection: sa.Connection, account: str, match: str) -> int | None:
    """Return the seat of a match to which an account is invited."""
    detail = connection.execute(
        sa.select(outbox.c.detail).where(_invitation(account, match)).limit(1)
    ).scalar()
    return None if detail is None else int(detail.removeprefix(INVITE))


def decline(connection: sa.Connection, account: str, match: str) -> None:
    """Delete the invitation of an account, and notify the account that sent it.

    Raises:
        RequestError: `unknown-invitation`.
    """
    here = _invitation(account, match)
    by = connection.execute(sa.select(outbox.c.seat).where(here).limit(1)).scalar()
    if connection.execute(outbox.delete().where(here)).rowcount == 0:
        raise RequestError("unknown-invitation")
    sender = connection.execute(
        sa.select(seats.c.account).where(seats.c.match == match, seats.c.seat == by)
    ).scalar()
    if sender is not None:
        person, once = Person(sender, None), f"{match} {DECLINED}"
        add([NewEvent(person, "challenge", match, once, detail=DECLINED)])(connection)


def became_due(connection: sa.Connection, since: datetime) -> dict[int, Person]:
    """Return the numbers of the events that became due after a time, with their persons."""
    here = outbox.c.due > format_time(since), outbox.c.due <= now()
    rows = connection.execute(
        sa.select(outbox.c.id, outbox.c.account, outbox.c.holder).where(*here)
    )
    return {row.id: Person(row.account, row.holder) for row in rows}


def own_events(connection: sa.Connection, account: str) -> tuple[OwnNotification, ...]:
    """Return all events of an account for its export, the oldest first."""
    rows = connection.execute(
        outbox.select().where(outbox.c.account == account).order_by(outbox.c.due, outbox.c.id)
    )
    return tuple(
        OwnNotification(row.kind, row.match, row.seat, row.detail, row.due, row.read)
        for row in rows
    )


def delete_of(connection: sa.Connection, account: str) -> None:
    """Delete all events of an account."""
    connection.execute(outbox.delete().where(outbox.c.account == account))


def delete_old(connection: sa.Connection) -> None:
    """Delete the events that are older than `KEEP_DAYS`."""
    before = format_time(datetime.now(UTC) - timedelta(days=KEEP_DAYS))
    connection.execute(outbox.delete().where(outbox.c.due < before))
