"""API tokens: secrets by which a program acts for an account, each with its scopes.

A scope names what a token may do; each route names the scope that it needs. No scope covers the
password, mail, sessions or tokens.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from datetime import UTC, datetime, timedelta

import sqlalchemy as sa

from tavola.server.errors import RequestError
from tavola.server.matches.log import format_time, now
from tavola.server.schema.accounts import ApiToken, ApiTokenCreated, NewApiToken
from tavola.server.schema.sanitize import sanitize_line
from tavola.server.storage.database import Database
from tavola.server.storage.tables import metadata

TOKEN_PREFIX = "tavola."
"""How an API token begins; no token of a session or a seat does."""

TOKEN_PATTERN = re.compile(rb"tavola(?:\.|%2[eE])[A-Za-z0-9_-]{43}")
"""The form of an API token, also in a URL."""

MAX_TOKENS = 20
"""How many tokens an account has at most."""

USED_EVERY = timedelta(minutes=10)
"""How exactly the time of the last use is stored."""

api_tokens = sa.Table(
    "api_tokens",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("token_hash", sa.String(64), nullable=False, unique=True),
    sa.Column("account", sa.ForeignKey("accounts.id"), nullable=False, index=True),
    sa.Column("name", sa.String(40), nullable=False),
    sa.Column("scopes", sa.JSON, nullable=False),
    sa.Column("created", sa.String(32), nullable=False),
    # Null: it does not expire.
    sa.Column("expires", sa.String(32), nullable=True),
    sa.Column("used", sa.String(32), nullable=True),
)


class ApiTokens:
    """The API tokens of accounts, in the database.

    Args:
        database: The database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, account: str, new: NewApiToken) -> ApiTokenCreated:
        """Add a token to an account.

        Raises:
            RequestError: `too-many-tokens`.
        """
        secret = TOKEN_PREFIX + secrets.token_urlsafe(32)
        end = None if new.days is None else datetime.now(UTC) + timedelta(days=new.days)
        token = ApiToken(
            id=secrets.token_urlsafe(9),
            name=sanitize_line(new.name),
            scopes=tuple(dict.fromkeys(new.scopes)),
            created=now(),
            expires=None if end is None else format_time(end),
            used=None,
        )
        row = {
            "id": token.id,
            "token_hash": hash_token(secret),
            "account": account,
            "name": token.name,
            "scopes": list(token.scopes),
            "created": token.created,
            "expires": token.expires,
        }

        def write(connection: sa.Connection) -> None:
            count = sa.select(sa.func.count()).where(api_tokens.c.account == account)
            if connection.execute(count).scalar_one() >= MAX_TOKENS:
                raise RequestError("too-many-tokens", most=MAX_TOKENS)
            try:
                connection.execute(api_tokens.insert().values(row))
            except sa.exc.IntegrityError:
                # The account was deleted meanwhile.
                raise RequestError("signed-out") from None

        await self._database.run(write)
        return ApiTokenCreated(token, secret)

    async def of_account(self, account: str) -> tuple[ApiToken, ...]:
        """Return an account's tokens, the latest first."""
        wanted = (
            api_tokens.select()
            .where(api_tokens.c.account == account)
            .order_by(api_tokens.c.created.desc(), api_tokens.c.id)
        )
        rows = await self._database.read(lambda connection: connection.execute(wanted).all())
        return tuple(
            ApiToken(row.id, row.name, tuple(row.scopes), row.created, row.expires, row.used)
            for row in rows
        )

    async def revoke(self, account: str, token: str) -> None:
        """Delete a token.

        Raises:
            RequestError: `unknown-api-token`.
        """
        here = (api_tokens.c.account == account) & (api_tokens.c.id == token)
        revoked = await self._database.run(
            lambda connection: connection.execute(api_tokens.delete().where(here)).rowcount
        )
        if revoked != 1:
            raise RequestError("unknown-api-token")

    async def note_use(self, token: str, used: str | None) -> None:
        """Store that a token is used now, unless its last use was moments ago."""
        if used is None or datetime.fromisoformat(used) < datetime.now(UTC) - USED_EVERY:
            wanted = api_tokens.update().where(api_tokens.c.id == token).values(used=now())
            await self._database.run(lambda connection: connection.execute(wanted))


def delete_of(connection: sa.Connection, account: str) -> None:
    """Delete all tokens of an account."""
    connection.execute(api_tokens.delete().where(api_tokens.c.account == account))


def hash_token(token: str) -> str:
    """Return the stored form of a token: a plain hash, as it has 256 random bits."""
    return hashlib.sha256(token.encode()).hexdigest()
