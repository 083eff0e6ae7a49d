"""The queue of deliveries: at least once, with backoff, by several processes.

A delivery is stored in the transaction of its event. A process claims due deliveries for a while,
sends them, and deletes them. Those of a process that dies are due again when its claim ends.
"""

from __future__ import annotations

import asyncio
from asyncio import FIRST_COMPLETED
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from itertools import groupby
from operator import attrgetter
from typing import Any, get_args

import sqlalchemy as sa
import structlog

from tavola.server.matches.log import format_time, now
from tavola.server.ops import metrics
from tavola.server.outbox.delivery import AfterFailure, Delivery, DeliveryFailed
from tavola.server.outbox.destinations import RECEIVES_DELIVERIES, destinations, email_options
from tavola.server.outbox.mail_times import due_at
from tavola.server.outbox.sender import Sender
from tavola.server.schema.notifications import Channel
from tavola.server.storage.tables import matches, metadata

_log = structlog.get_logger("tavola.outbox")

CHANNELS: tuple[Channel, ...] = get_args(Channel)

# Counters that have not counted yet are zero, not absent.
for _channel in CHANNELS:
    for _result in ("delivered", "failed"):
        metrics.DELIVERIES.labels(_channel, _result)

POLL_SECONDS = 0.5
"""Seconds between two looks for due deliveries."""
CLAIM_SECONDS = 60
"""For how long a process claims a delivery; longer than `SEND_SECONDS`."""
SEND_SECONDS = 15
"""How long a delivery may take."""
HELD_SECONDS = 10
"""How long a delivery waits for an open stream of its account to send the event."""
SLOTS = 20
"""To how many destinations a process delivers at the same time."""
FAILED_SLOTS = 5
"""How many of them may be destinations whose last delivery failed: they may take their time."""
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
    # A process ends the deliveries that it has claimed by their numbers.
    sqlite_autoincrement=True,
)


def add(connection: sa.Connection, event: int, account: str, kind: str, due: str) -> None:
    """Store the deliveries of a new event, to the destinations that its account chose for it."""
    own = destinations.c.account == account
    columns = destinations.c.id, destinations.c.kinds, destinations.c.email
    wanted = connection.execute(sa.select(*columns).where(own, RECEIVES_DELIVERIES))
    rows = [
        {"event": event, "destination": row.id, "attempts": 0, "due": _allowed(row.email, due)}
        for row in wanted.all()
        if kind in row.kinds
    ]
    if rows:
        connection.execute(deliveries.insert(), rows)


def delete_of(connection: sa.Connection, events: sa.Select[int]) -> None:
    """Delete the deliveries of events."""
    connection.execute(deliveries.delete().where(deliveries.c.event.in_(events)))


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

    def __init__(self, database: Any, senders: Mapping[Channel, Sender]) -> None:
        self._database = database
        self._senders = senders
        self._listening: Callable[[], Collection[str]] = frozenset
        # By destination; at most `SLOTS`.
        self._sending: dict[str, asyncio.Task[None]] = {}
        # Of these, the destinations whose last delivery failed.
        self._failed: set[str] = set()

    async def run(self, listening: Callable[[], Collection[str]]) -> None:
        """Make due deliveries, until it is cancelled.

        Args:
            listening: Returns the accounts whose streams this process serves.
        """
        if not self._senders:
            return
        self._listening = listening
        try:
            while True:
                try:
                    started = await self._start_due()
                except Exception:
                    # The database may answer again, and other deliveries may succeed.
                    _log.exception("deliveries not claimed")
                    started = False
                full = len(self._sending) >= SLOTS
                if started and not full:
                    continue
                if self._sending:
                    # The end of one frees a slot, and its destination.
                    await asyncio.wait(
                        self._sending.values(),
                        timeout=None if full else POLL_SECONDS,
                        return_when=FIRST_COMPLETED,
                    )
                else:
                    await asyncio.sleep(POLL_SECONDS)
        finally:
            for sending in self._sending.values():
                sending.cancel()
            await asyncio.gather(*self._sending.values(), return_exceptions=True)

    async def _start_due(self) -> bool:
        """Start due deliveries in the free slots; return whether there were any."""
        wanted = self._wanted()
        if not await self._database.read(
            lambda connection: connection.execute(wanted.limit(1)).first()
        ):
            return False
        claimed = await self._database.run(lambda connection: self._claim(connection, wanted))
        claimed.sort(key=attrgetter("destination", "id"))
        for destination, group in groupby(claimed, attrgetter("destination")):
            self._sending[destination] = asyncio.create_task(self._send([*group]))
        return bool(claimed)

    def _wanted(self) -> sa.Select[int, str, str | None]:
        """Select what is due for destinations to which nothing is under way."""
        wanted = _due(now(), self._senders).where(destinations.c.id.not_in([*self._sending]))
        if listening := self._listening():
            late = format_time(datetime.now(UTC) - timedelta(seconds=HELD_SECONDS))
            elsewhere = destinations.c.account.not_in([*listening])
            wanted = wanted.where(elsewhere | (deliveries.c.due <= late))
        if len(self._failed) >= FAILED_SLOTS:
            wanted = wanted.where(destinations.c.failed.is_(None))
        return wanted.order_by(deliveries.c.due)

    def _claim(
        self, connection: sa.Connection, wanted: sa.Select[int, str, str | None]
    ) -> list[Delivery]:
        """Claim due deliveries, and delete those whose events have been read."""
        # One process at a time claims what is due for a destination.
        lock = deliveries, destinations
        found = connection.execute(
            wanted.limit(SLOTS - len(self._sending)).with_for_update(
                skip_locked=True, key_share=True, of=lock
            )
        )
        # The first of each destination: the next one waits for its end.
        first: dict[str, int] = {}
        failed = len(self._failed)
        for delivery, destination, failed_at in found:
            if destination in first or (failed_at is not None and failed >= FAILED_SLOTS):
                continue
            first[destination] = delivery
            failed += failed_at is not None
        ids = set(first.values())
        joining = [name for name, sender in self._senders.items() if sender.joins]
        rest = _due(now(), joining).where(destinations.c.id.in_(first))
        rows = connection.execute(rest.with_for_update(skip_locked=True, key_share=True, of=lock))
        ids.update(delivery for delivery, *_ in rows)
        claimed = deliveries.c.id.in_(ids)
        until = format_time(datetime.now(UTC) + timedelta(seconds=CLAIM_SECONDS))
        outbox, seats = metadata.tables["outbox"], metadata.tables["seats"]
        event = deliveries.c.event == outbox.c.id
        is_read = sa.exists().where(event, outbox.c.read.is_not(None))
        connection.execute(deliveries.delete().where(claimed, is_read))
        connection.execute(deliveries.update().where(claimed).values(due=until))
        by = sa.and_(seats.c.match == outbox.c.match, seats.c.seat == outbox.c.seat)
        chosen = connection.execute(
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
                destinations.c.failed.is_not(None).label("failed"),
            )
            .join_from(deliveries, destinations)
            .join(outbox, event)
            .join(matches, matches.c.id == outbox.c.match, isouter=True)
            .join(seats, by, isouter=True)
            .where(claimed)
        )
        return [Delivery(**row) for row in chosen.mappings()]

    async def _send(self, group: Sequence[Delivery]) -> None:
        """Deliver what is sent as one, and free the slot."""
        destination = group[0].destination
        if group[0].failed:
            self._failed.add(destination)
        try:
            await self._deliver(group)
        except Exception:
            # It is due again when the claim ends.
            _log.exception("delivery failed", channel=group[0].channel, number=group[0].event)
        finally:
            del self._sending[destination]
            self._failed.discard(destination)

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


def _due(at: str, channels: Iterable[str]) -> sa.Select[int, str, str | None]:
    return (
        sa.select(deliveries.c.id, destinations.c.id, destinations.c.failed)
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
