"""Acts of the host on accounts: rename, disable, restore, roles, mute, erase."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from difflib import get_close_matches
from typing import Any, Literal

import sqlalchemy as sa

from tavola.server.accounts import names
from tavola.server.accounts import sessions as session_store
from tavola.server.accounts.accounts import RECOVERY_SECONDS, accounts, recovery_link
from tavola.server.accounts.sessions import sessions
from tavola.server.errors import RequestError
from tavola.server.live.account_matches import erase_account
from tavola.server.matches.log import format_time, now
from tavola.server.moderation import audit
from tavola.server.schema.sanitize import fold
from tavola.server.storage.tables import matches, seats
from tavola.server.tournaments import store as tournament_store
from tavola.server.tournaments.store import players, tournaments

Role = Literal["organizer", "moderator"]

FOR_EVER = "9999"
"""The end of a mute without an end: later than every time in ISO format."""


def find(connection: sa.Connection, name: str) -> sa.Row[Any]:
    """Return the account of a name, without case and width.

    Raises:
        RequestError: `unknown-account`, also `similar-names`.
    """
    key = fold(name)
    row = connection.execute(accounts.select().where(accounts.c.folded == key)).one_or_none()
    if row is None:
        known = dict(
            tuple(row) for row in connection.execute(sa.select(accounts.c.folded, accounts.c.name))
        )
        near = [known[one] for one in get_close_matches(key, known, n=3, cutoff=0.6)]
        also = [RequestError("similar-names", valid=near)] if near else []
        raise RequestError("unknown-account", name=name, also=also)
    return row


def listed(
    connection: sa.Connection, *, search: str = "", limit: int = 100
) -> Sequence[sa.Row[Any]]:
    """Return accounts, the latest first, with the last use of their sessions.

    Args:
        connection: The database.
        search: A part of the name.
        limit: How many at most.
    """
    seen = (
        sa.select(sessions.c.account, sa.func.max(sessions.c.seen).label("seen"))
        .group_by(sessions.c.account)
        .subquery()
    )
    wanted = (
        sa.select(accounts, seen.c.seen)
        .join_from(accounts, seen, seen.c.account == accounts.c.id, isouter=True)
        .order_by(accounts.c.created.desc(), accounts.c.id)
        .limit(limit)
    )
    if search:
        wanted = wanted.where(accounts.c.folded.contains(fold(search), autoescape=True))
    return connection.execute(wanted).all()


def rename(connection: sa.Connection, name: str, new: str) -> str:
    """Give an account another name, also at its seats and in tournaments.

    Raises:
        RequestError: `unknown-account`, `name-length`, `name-characters`, `name-taken`.
    """
    row, new = find(connection, name), names.normalize(new)
    folded = fold(new)
    taken = sa.select(accounts.c.id).where(accounts.c.folded == folded, accounts.c.id != row.id)
    if connection.execute(taken).first() is not None:
        raise RequestError("name-taken", name=new)
    _update(connection, row.id, name=new, folded=folded)
    connection.execute(
        seats.update()
        .where(seats.c.account == row.id, seats.c.member)
        .values(name=new, folded=folded)
    )
    entered = players.c.account == row.id
    connection.execute(players.update().where(entered).values(name=new))
    connection.execute(
        tournaments.update()
        .where(tournaments.c.id.in_(sa.select(players.c.tournament).where(entered)))
        .values(version=tournaments.c.version + 1)
    )
    audit.record(connection, "rename", account=row.id, subject=row.name, detail=new)
    return new


def disable(connection: sa.Connection, name: str, *, reason: str = "") -> None:
    """End every session of an account, and refuse its sign-in and its seats.

    Raises:
        RequestError: `unknown-account`.
    """
    row = find(connection, name)
    _update(connection, row.id, disabled=now())
    session_store.delete_of(connection, row.id)
    own = sa.select(seats.c.match).where(seats.c.account == row.id)
    offered = matches.c.id.in_(own) & matches.c.offered.is_not(None)
    connection.execute(matches.update().where(offered).values(offered=None))
    audit.record(connection, "disable", account=row.id, subject=row.name, detail=reason)


def restore(connection: sa.Connection, name: str) -> None:
    """Enable a disabled account again.

    Raises:
        RequestError: `unknown-account`.
    """
    row = find(connection, name)
    _update(connection, row.id, disabled=None)
    audit.record(connection, "restore", account=row.id, subject=row.name)


def set_role(connection: sa.Connection, name: str, role: Role, *, given: bool) -> None:
    """Give or take a role.

    Raises:
        RequestError: `unknown-account`.
    """
    row = find(connection, name)
    _update(connection, row.id, **{role: given})
    detail = "+" if given else "-"
    audit.record(connection, role, account=row.id, subject=row.name, detail=detail)


def mute(connection: sa.Connection, name: str, hours: int | None) -> None:
    """Let an account write no chat for some hours; `None`: for good.

    Raises:
        RequestError: `unknown-account`.
    """
    row, until = find(connection, name), end_of(hours)
    _update(connection, row.id, muted=until)
    audit.record(connection, "mute", account=row.id, subject=row.name, detail=until)


def unmute(connection: sa.Connection, name: str) -> None:
    """Let an account write chat again.

    Raises:
        RequestError: `unknown-account`.
    """
    row = find(connection, name)
    _update(connection, row.id, muted=None)
    audit.record(connection, "unmute", account=row.id, subject=row.name)


def password_link(connection: sa.Connection, name: str) -> str:
    """Return the part of a link that sets a new password once, within an hour.

    Raises:
        RequestError: `unknown-account`, `account-disabled`.
    """
    row = find(connection, name)
    if row.disabled is not None:
        raise RequestError("account-disabled")
    audit.record(connection, "password-link", account=row.id, subject=row.name)
    return recovery_link(row.id, row.password, RECOVERY_SECONDS)


def erase(connection: sa.Connection, name: str) -> None:
    """Delete an account as its owner could.

    Raises:
        RequestError: `unknown-account`.
    """
    row = find(connection, name)
    erase_references(connection, row.id)
    session_store.delete_of(connection, row.id)
    connection.execute(accounts.delete().where(accounts.c.id == row.id))
    # Running servers need the id, which says nothing any more.
    audit.record(connection, "erase", detail=row.id)


def erase_references(connection: sa.Connection, account: str) -> None:
    """Remove an account from all tables but those of accounts and sessions."""
    erase_account(account)(connection)
    tournament_store.erase_account(account)(connection)
    audit.erase_account(connection, account)


def end_of(hours: int | None) -> str:
    """Return the end of a mute as it is stored."""
    return FOR_EVER if hours is None else format_time(datetime.now(UTC) + timedelta(hours=hours))


def _update(connection: sa.Connection, account: str, **values: Any) -> None:
    connection.execute(accounts.update().where(accounts.c.id == account).values(**values))
