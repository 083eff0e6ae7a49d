"""The event of moderators: players have reported messages."""

from __future__ import annotations

import sqlalchemy as sa

from tavola.server.accounts.accounts import accounts
from tavola.server.outbox import events
from tavola.server.outbox.events import NewEvent, Person, outbox


def on_report(connection: sa.Connection) -> None:
    """Notify the moderators of a report, once until they have read it."""
    query = sa.select(accounts.c.id).where(accounts.c.moderator, accounts.c.disabled.is_(None))
    moderators = connection.execute(query).scalars()
    events.add([NewEvent(Person(one, None), "report", None, "") for one in moderators])(connection)


def on_moderated(connection: sa.Connection, moderator: str) -> None:
    """Mark the event of a moderator who has seen the reports as read."""
    own = (outbox.c.account == moderator) & (outbox.c.kind == "report")
    ids = connection.execute(sa.select(outbox.c.id).where(own, outbox.c.read.is_(None))).scalars()
    events.mark_read(events.Reader(moderator, frozenset()), list(ids))(connection)
