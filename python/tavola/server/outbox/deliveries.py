"""The queue of deliveries: at least once, with backoff, by several processes.

A delivery is stored in the transaction of its event. A process claims due deliveries for a while,
sends them, and deletes them. Those of a process that dies are due again when its claim ends.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum, auto
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple, Protocol

import sqlalchemy as sa
import structlog

from tavola.server.matches.log import format_time, now
from tavola.server.ops import metrics
from tavola.server.outbox.destinations import IS_CONFIRMED, destinations, email_options
from tavola.server.outbox.mail_times import due_at
from tavola.server.storage.tables import matches, metadata

_log = structlog.get_logger("tavola.outbox")

POLL_SECONDS = 0.5
"""Seconds between two looks for due deliveries."""
CLAIM_SECONDS = 60
"""For how long a process claims a delivery; longer than `SEND_SECONDS`."""
SEND_SECONDS = 15
"""How long a delivery may take."""
BATCH = 20
"""How many deliveries a process makes at the same time."""
BACKOFF_SECONDS = (5, 30, 120, 600, 3600, 4 * 3600, 12 * 3600)
"""The wait after each failed attempt; after the last one, the delivery is given up."""

deliveries = sa.Table(
    "deliveries",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("event", sa.ForeignKey("outbox.id", ondelete="CASCADE"), nullable=False, index=True),
    sa.Column(
        "destination",
        sa.ForeignKey("destinations.id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    sa.Column("attempts", sa.Integer, nullable=False),
    # When it is due, or when the claim of a process on it ends.
    sa.Column("due", sa.String(32), nullable=False, index=True),
)


class Delivery(NamedTuple):
    """A claimed delivery.

    Attributes:
        event: The number of the event, the same in every attempt.
        address: A URL, or an e-mail address.
        secret: The key of signatures, or the keys of a browser.
        email: Of an e-mail address, its options as they are stored.
    """

    id: int
    event: int
    destination: str
    attempts: int
    channel: str
    address: str
    secret: str
    language: str
    kind: str
    match: str | None
    game: str | None
    by: str | None
    detail: str | None
    at: str
    email: object


class AfterFailure(Enum):
    """The next step after a failed attempt."""

    TRY_AGAIN = auto()
    GIVE_UP = auto()
    """No later attempt can succeed."""
    REMOVE_DESTINATION = auto()
    """The destination no longer exists."""


class DeliveryFailed(Exception):
    """A delivery failed."""

    def __init__(self, reason: str, then: AfterFailure = AfterFailure.TRY_AGAIN) -> None:
        super().__init__(reason)
        self.then = then


class Sender(Protocol):
    """A channel; `joins`: whether it sends all that is due for a destination as one."""

    joins: bool

    async def __call__(self, deliveries: Sequence[Delivery]) -> None:
        """Deliver events to one destination: one event, unless the channel joins them.

        Raises:
            DeliveryFailed: With the reason.
        """


def add(connection: sa.Connection, event: int, account: str, kind: str, due: str) -> None:
    """Store the deliveries of a new event, to the destinations that its account chose for it."""
    own = destinations.c.account == account
    columns = destinations.c.id, destinations.c.kinds, destinations.c.email
    wanted = connection.execute(sa.select(*columns).where(own, IS_CONFIRMED))
    rows = [
        {"event": event, "destination": row.id, "attempts": 0, "due": _allowed(row.email, due)}
        for row in wanted.all()
        if kind in row.kinds
    ]
    if rows:
        connection.execute(deliveries.insert(), rows)


def _allowed(email: object, due: str) -> str:
    """Return when a notification may be sent that is due at a time."""
    options = email_options(email)
    if options is None:
        return due
    return format_time(due_at(options, datetime.fromisoformat(due)))


class DeliveryQueue:
    """Makes the deliveries of this process.

    Args:
        database: The database of the queue.
        senders: By channel; other channels wait until the host switches them on.
    """

    def __init__(self, database: Any, senders: Mapping[str, Sender]) -> None:
        self._database = database
        self._senders = senders

    async def run(self) -> None:
        """Make due deliveries, until it is cancelled."""
        if not self._senders:
            return
        while True:
            try:
                claimed = await self.deliver_due()
            except Exception:
                # The database may answer again, and other deliveries may succeed.
                _log.exception("deliveries failed")
                claimed = 0
            if claimed < BATCH:
                await asyncio.sleep(POLL_SECONDS)

    async def deliver_due(self) -> int:
        """Make the due deliveries, at most `BATCH`; return how many there were."""
        at = now()
        if not await self._database.read(
            lambda connection: connection.execute(_due(at, self._senders).limit(1)).first()
        ):
            return 0
        claimed = await self._database.run(self._claim)
        await asyncio.gather(*map(self._deliver, self._groups(claimed)))
        return len(claimed)

    def _claim(self, connection: sa.Connection) -> list[Delivery]:
        """Claim due deliveries, and delete those whose events have been read."""
        at = now()
        wanted = _due(at, self._senders).order_by(deliveries.c.due).limit(BATCH)
        # One process at a time claims what is due for a destination.
        lock = deliveries, destinations
        ids = set(
            connection.execute(
                wanted.with_for_update(skip_locked=True, key_share=True, of=lock)
            ).scalars()
        )
        joining = [name for name, sender in self._senders.items() if sender.joins]
        same = sa.select(deliveries.c.destination).where(deliveries.c.id.in_(ids))
        rest = _due(at, joining).where(destinations.c.id.in_(same))
        ids.update(
            connection.execute(
                rest.with_for_update(skip_locked=True, key_share=True, of=lock)
            ).scalars()
        )
        claimed = deliveries.c.id.in_(ids)
        until = format_time(datetime.now(UTC) + timedelta(seconds=CLAIM_SECONDS))
        outbox, seats = metadata.tables["outbox"], metadata.tables["seats"]
        event = deliveries.c.event == outbox.c.id
        is_read = sa.exists().where(event, outbox.c.read.is_not(None))
        connection.execute(deliveries.delete().where(claimed, is_read))
        connection.execute(deliveries.update().where(claimed).values(due=until))
        by = sa.and_(seats.c.match == outbox.c.match, seats.c.seat == outbox.c.seat)
        rows = connection.execute(
            sa.select(
                deliveries.c.id,
                deliveries.c.event,
                deliveries.c.destination,
                deliveries.c.attempts,
                destinations.c.channel,
                destinations.c.address,
                destinations.c.secret,
                destinations.c.language,
                outbox.c.kind,
                outbox.c.match,
                matches.c.game,
                seats.c.name.label("by"),
                outbox.c.detail,
                outbox.c.due.label("at"),
                destinations.c.email,
            )
            .join_from(deliveries, destinations)
            .join(outbox, event)
            .join(matches, matches.c.id == outbox.c.match, isouter=True)
            .join(seats, by, isouter=True)
            .where(claimed)
        )
        return [Delivery(**row) for row in rows.mappings()]

    def _groups(self, claimed: Sequence[Delivery]) -> list[list[Delivery]]:
        """Return what is sent as one."""
        same = attrgetter("channel", "destination")
        found = groupby(sorted(claimed, key=lambda one: (*same(one), one.id)), same)
        groups: list[list[Delivery]] = []
        for (channel, _), some in found:
            joins = self._senders[channel].joins
            groups += [list(some)] if joins else [[one] for one in some]
        return groups

    async def _deliver(self, group: Sequence[Delivery]) -> None:
        channel = group[0].channel
        try:
            async with asyncio.timeout(SEND_SECONDS):
                await self._senders[channel](group)
        except TimeoutError:
            failure = DeliveryFailed(f"no answer within {SEND_SECONDS} s")
        except DeliveryFailed as error:
            failure = error
        else:
            metrics.DELIVERIES.labels(channel, "delivered").inc(len(group))
            await self._database.run(lambda connection: _on_delivered(connection, group))
            return
        metrics.DELIVERIES.labels(channel, "failed").inc(len(group))
        _log.info("not delivered", channel=channel, number=group[0].event, error=str(failure))
        await self._database.run(lambda connection: _on_failed(connection, group, failure.then))

    async def count_waiting(self) -> dict[str, tuple[int, float]]:
        """Return by channel how many deliveries wait, and the age of the oldest in seconds."""

        def read(connection: sa.Connection) -> dict[str, tuple[int, float]]:
            outbox = metadata.tables["outbox"]
            rows = connection.execute(
                sa.select(destinations.c.channel, sa.func.count(), sa.func.min(outbox.c.due))
                .join_from(deliveries, destinations)
                .join(outbox, deliveries.c.event == outbox.c.id)
                .where(outbox.c.due <= now())
                .group_by(destinations.c.channel)
            ).all()
            at = datetime.now(UTC)
            return {
                channel: (count, (at - datetime.fromisoformat(oldest)).total_seconds())
                for channel, count, oldest in rows
            }

        found: dict[str, tuple[int, float]] = await self._database.read(read)
        return found


def _due(at: str, channels: Iterable[str]) -> sa.Select[tuple[int]]:
    return (
        sa.select(deliveries.c.id)
        .join_from(deliveries, destinations)
        .where(deliveries.c.due <= at, destinations.c.channel.in_(list(channels)))
    )


def _on_delivered(connection: sa.Connection, group: Sequence[Delivery]) -> None:
    sent = deliveries.c.id.in_([delivery.id for delivery in group])
    connection.execute(deliveries.delete().where(sent))
    failed = destinations.c.failed.is_not(None)
    same = destinations.c.id == group[0].destination
    connection.execute(destinations.update().where(same, failed).values(failed=None))


def _on_failed(connection: sa.Connection, group: Sequence[Delivery], then: AfterFailure) -> None:
    destination = group[0].destination
    same = destinations.c.id == destination
    if then is AfterFailure.REMOVE_DESTINATION:
        connection.execute(deliveries.delete().where(deliveries.c.destination == destination))
        connection.execute(destinations.delete().where(same))
        return
    for delivery in group:
        here = deliveries.c.id == delivery.id
        if then is AfterFailure.GIVE_UP or delivery.attempts >= len(BACKOFF_SECONDS):
            connection.execute(deliveries.delete().where(here))
            continue
        wait = timedelta(seconds=BACKOFF_SECONDS[delivery.attempts])
        again = format_time(datetime.now(UTC) + wait)
        values = {"attempts": delivery.attempts + 1, "due": again}
        connection.execute(deliveries.update().where(here).values(values))
    connection.execute(destinations.update().where(same).values(failed=now()))
