"""Authentication: seat tokens, session tokens and cookies of a request or a socket."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection

from tavola.server.accounts.accounts import SESSION_PREFIX, Account, Accounts, ClientInfo
from tavola.server.errors import RequestError
from tavola.server.ops.rate_limits import client_key

COOKIE = "tavola-session"
DEVICE_COOKIE = "tavola-device"

Connection = ASGIConnection[Any, Any, Any, Any]
AnyRequest = Request[Any, Any, Any]


def client_address(connection: Connection) -> str:
    """Return the key of the client whose limits count: the address at the other end."""
    return client_key(connection.client.host) if connection.client else ""


def client_info(connection: Connection) -> ClientInfo:
    """Return the address at the other end, the browser there, and whether it is known."""
    return ClientInfo(
        client_address(connection),
        connection.headers.get("user-agent", ""),
        connection.cookies.get(DEVICE_COOKIE, ""),
    )


def seat_tokens(connection: Connection) -> list[str]:
    """Return the tokens of seats in the Authorization header.

    Raises:
        RequestError: `unknown-token`, for another scheme.
    """
    return [token for token in _bearer_tokens(connection) if not token.startswith(SESSION_PREFIX)]


async def current_account(connection: Connection, accounts: Accounts) -> Account | None:
    """Return the account that is signed in, by a session token or a cookie, or `None`."""
    bearer = next(
        (token for token in _bearer_tokens(connection) if token.startswith(SESSION_PREFIX)), None
    )
    return await accounts.authenticate(bearer or connection.cookies.get(COOKIE))


async def require_account(connection: Connection, accounts: Accounts) -> Account:
    """Return the account that is signed in.

    Raises:
        RequestError: `signed-out`.
    """
    account = await current_account(connection, accounts)
    if account is None:
        raise RequestError("signed-out")
    return account


def _bearer_tokens(connection: Connection) -> list[str]:
    scheme, _, tokens = connection.headers.get("authorization", "").partition(" ")
    if not scheme:
        return []
    if scheme.lower() != "bearer":
        raise RequestError("unknown-token")
    return [token.strip() for token in tokens[:2000].split(",") if token.strip()]
