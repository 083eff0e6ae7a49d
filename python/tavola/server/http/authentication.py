"""Who asks: the secrets that a request or a socket comes with."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection

from tavola.server.accounts.accounts import PREFIX, Account, Accounts, Visitor
from tavola.server.ops.rate_limits import client_of
from tavola.server.schema.errors import Refused

COOKIE = "tavola-session"

Connection = ASGIConnection[Any, Any, Any, Any]
AnyRequest = Request[Any, Any, Any]


def address_of(connection: Connection) -> str:
    """Whose limits count: the address at the other end."""
    return client_of(connection.client.host) if connection.client else ""


def visitor_of(connection: Connection) -> Visitor:
    """The address at the other end, and what the browser there calls itself."""
    return Visitor(address_of(connection), connection.headers.get("user-agent", ""))


def seat_tokens_of(connection: Connection) -> list[str]:
    """The tokens of seats in the Authorization header.

    Raises:
        Refused: `unknown-token`, for another scheme.
    """
    return [token for token in _bearers(connection) if not token.startswith(PREFIX)]


async def account_of(connection: Connection, accounts: Accounts) -> Account | None:
    """Who is signed in, if anybody is: by the bearer of a session, or by its cookie."""
    bearer = next((token for token in _bearers(connection) if token.startswith(PREFIX)), None)
    return await accounts.of(bearer or connection.cookies.get(COOKIE))


async def signed_in(connection: Connection, accounts: Accounts) -> Account:
    """Who is signed in.

    Raises:
        Refused: `signed-out`.
    """
    account = await account_of(connection, accounts)
    if account is None:
        raise Refused("signed-out")
    return account


def _bearers(connection: Connection) -> list[str]:
    scheme, _, tokens = connection.headers.get("authorization", "").partition(" ")
    if not scheme:
        return []
    if scheme.lower() != "bearer":
        raise Refused("unknown-token")
    return [token.strip() for token in tokens[:2000].split(",") if token.strip()]
