"""Sessions: the devices that are signed in to an account, each by a secret token."""

from __future__ import annotations

import secrets

import sqlalchemy as sa

from tavola.server.accounts.api_tokens import hash_token
from tavola.server.errors import RequestError
from tavola.server.matches.log import now
from tavola.server.schema.accounts import SessionInfo
from tavola.server.storage.database import Database
from tavola.server.storage.tables import metadata

SESSION_PREFIX = "s."
"""How the token of a session begins, and no seat's does."""

SESSION_DAYS = 180
"""Days after which an unused session ends."""

MAX_SESSIONS = 50
"""How many sessions an account has at most; the one that was not used for longest goes first."""

sessions = sa.Table(
    "sessions",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("account", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("agent", sa.String(200), nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    sa.Column("seen", sa.String(32), nullable=False),
)


class Sessions:
    """The sessions of accounts, in the database.

    Args:
        database: The database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_account(self, account: str, current: str) -> tuple[SessionInfo, ...]:
        """Return an account's sessions, the last used first.

        Args:
            account: The id of the account.
            current: The id of the session that asks.
        """
        wanted = (
            sessions.select()
            .where(sessions.c.account == account)
            .order_by(sessions.c.seen.desc(), sessions.c.id)
        )
        rows = await self._database.rows(wanted)
        return tuple(
            SessionInfo(row.id, row.agent, row.created, row.seen, row.id == current) for row in rows
        )

    async def end(self, account: str, session: str) -> None:
        """End one of an account's sessions.

        Raises:
            RequestError: `unknown-session`.
        """
        here = (sessions.c.account == account) & (sessions.c.id == session)
        ended = await self._database.run(
            lambda connection: connection.execute(sessions.delete().where(here)).rowcount
        )
        if ended != 1:
            raise RequestError("unknown-session")


def create(connection: sa.Connection, account: str, agent: str) -> tuple[str, str]:
    """Begin a session of an account.

    Args:
        connection: The transaction.
        account: The id of the account.
        agent: The user agent of the client.

    Returns:
        The session's id and its token.
    """
    token = SESSION_PREFIX + secrets.token_urlsafe(32)
    session = secrets.token_urlsafe(9)
    latest = (
        sa.select(sessions.c.id)
        .where(sessions.c.account == account)
        .order_by(sessions.c.seen.desc())
        .limit(MAX_SESSIONS - 1)
    )
    connection.execute(
        sessions.delete().where(sessions.c.account == account, sessions.c.id.not_in(latest))
    )
    connection.execute(
        sessions.insert().values(
            id=session,
            token_hash=hash_token(token),
            account=account,
            agent=agent[:200],
            created=now(),
            seen=now(),
        )
    )
    return session, token


def delete_of(connection: sa.Connection, account: str, but: str | None = None) -> None:
    """End all sessions of an account, but perhaps one."""
    others = () if but is None else (sessions.c.id != but,)
    connection.execute(sessions.delete().where(sessions.c.account == account, *others))
