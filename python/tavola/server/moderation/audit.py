"""The audit log: every act of the host and of moderators.

It is also how running servers learn of these acts: `feed.py` reads it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import sqlalchemy as sa
from msgspec import Struct

from tavola.server.accounts.accounts import accounts
from tavola.server.matches.log import now
from tavola.server.storage.tables import metadata

Act = Literal[
    "rename",
    "disable",
    "restore",
    "password-link",
    "organizer",
    "moderator",
    "mute",
    "unmute",
    "export",
    "erase",
    "ban",
    "unban",
    "delete-line",
    "close-report",
    "announce",
    "end-announcement",
]

audit_log = sa.Table(
    "audit_log",
    metadata,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("at", sa.String(32), nullable=False),
    # The moderator's account; null: the host; empty: deleted meanwhile.
    sa.Column("actor", sa.String(32), nullable=True),
    sa.Column("act", sa.String(32), nullable=False),
    # The account that it is about, and the match of a chat line.
    sa.Column("account", sa.String(32), nullable=True, index=True),
    sa.Column("match", sa.String(32), nullable=True),
    sa.Column("subject", sa.Text, nullable=False),
    sa.Column("detail", sa.Text, nullable=False),
)


class Entry(Struct, frozen=True):
    """An act.

    Attributes:
        id: Its number.
        at: When, in ISO format.
        by: The name of the moderator; `None`: the host; empty: a deleted account.
        act: What was done.
        subject: To what: a name, an address, the number of a line.
        detail: How: a new name, an end, a reason.
    """

    id: int
    at: str
    by: str | None
    act: str
    subject: str
    detail: str


def record(
    connection: sa.Connection,
    act: Act,
    *,
    actor: str | None = None,
    account: str | None = None,
    match: str | None = None,
    subject: str = "",
    detail: str = "",
) -> None:
    """Add an act to the log.

    Args:
        connection: The transaction of the act.
        act: What is done.
        actor: The account of the moderator; `None`: the host.
        account: The account that it is about.
        match: The match that it is about.
        subject: To what it is done, for readers.
        detail: How, for readers.
    """
    connection.execute(
        audit_log.insert().values(
            at=now(),
            actor=actor,
            act=act,
            account=account,
            match=match,
            subject=subject,
            detail=detail,
        )
    )


def latest(connection: sa.Connection, limit: int) -> list[Entry]:
    """Return the latest acts, the oldest of them first."""
    rows = connection.execute(
        sa.select(audit_log, accounts.c.name)
        .join_from(audit_log, accounts, audit_log.c.actor == accounts.c.id, isouter=True)
        .order_by(audit_log.c.id.desc())
        .limit(limit)
    ).all()
    return [
        Entry(
            row.id,
            row.at,
            None if row.actor is None else row.name or "",
            row.act,
            row.subject,
            row.detail,
        )
        for row in reversed(rows)
    ]


def of_account(connection: sa.Connection, account: str) -> Sequence[Any]:
    """Return the acts that are about an account, or by it: the oldest first."""
    own = (audit_log.c.account == account) | (audit_log.c.actor == account)
    columns = audit_log.c.act, audit_log.c.at, audit_log.c.detail
    return connection.execute(sa.select(*columns).where(own).order_by(audit_log.c.id)).all()


def erase_account(connection: sa.Connection, account: str) -> None:
    """Remove a deleted account from the log; the acts stay."""
    connection.execute(
        audit_log.update()
        .where(audit_log.c.account == account)
        .values(account=None, subject="", detail="")
    )
    connection.execute(audit_log.update().where(audit_log.c.actor == account).values(actor=""))
