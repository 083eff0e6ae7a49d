"""Authentication: seat tokens, session tokens and cookies of a request or a socket."""

from __future__ import annotations

from typing import Any

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.di import NamedDependency, Provide

from tavola.server.accounts.accounts import Account, Accounts, ClientInfo
from tavola.server.accounts.api_tokens import TOKEN_PREFIX
from tavola.server.accounts.sessions import SESSION_PREFIX
from tavola.server.errors import RequestError
from tavola.server.ops.rate_limits import client_key

COOKIE = "tavola-session"
DEVICE_COOKIE = "tavola-device"

SCOPE = "scope"
"""The option of a route that names the scope it needs; without it no API token is accepted."""

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
    prefixes = (SESSION_PREFIX, TOKEN_PREFIX)
    return [token for token in _bearer_tokens(connection) if not token.startswith(prefixes)]


async def current_account(connection: Connection, accounts: Accounts) -> Account | None:
    """Return the account that is signed in, by a session token or a cookie, or `None`.

    An API token acts for its account on the routes that name their `scope`.

    Raises:
        RequestError: `token-forbidden`, `token-invalid`, `token-scope`.
    """
    tokens = _bearer_tokens(connection)
    for token in tokens:
        if token.startswith(TOKEN_PREFIX):
            return await _authenticate_program(connection, accounts, token)
    bearer = next((token for token in tokens if token.startswith(SESSION_PREFIX)), None)
    return await accounts.authenticate(bearer or connection.cookies.get(COOKIE))


async def find_visitor(request: AnyRequest, accounts: NamedDependency[Accounts]) -> Account | None:
    """Return the account that is signed in, or `None`."""
    return await current_account(request, accounts)


def require_account(visitor: NamedDependency[Account | None]) -> Account:
    """Return the account that is signed in.

    Raises:
        RequestError: `signed-out`.
    """
    if visitor is None:
        raise RequestError("signed-out")
    return visitor


def require_moderator(account: NamedDependency[Account]) -> Account:
    """Return the account that is signed in, if it is a moderator's.

    Raises:
        RequestError: `not-moderator`.
    """
    if not account.moderator:
        raise RequestError("not-moderator")
    return account


VISITOR, ACCOUNT, MODERATOR = "visitor", "account", "moderator"

GUARDS = {
    VISITOR: Provide(find_visitor),
    ACCOUNT: Provide(require_account, sync_to_thread=False),
    MODERATOR: Provide(require_moderator, sync_to_thread=False),
}
"""The parameters by which a route requests an account: one that may be absent, or must not be."""


async def _authenticate_program(connection: Connection, accounts: Accounts, token: str) -> Account:
    scope = connection.route_handler.opt.get(SCOPE)
    if scope is None:
        raise RequestError("token-forbidden")
    account = await accounts.authenticate_token(token)
    if scope not in (account.scopes or ()):
        raise RequestError("token-scope", scope=scope)
    return account


def _bearer_tokens(connection: Connection) -> list[str]:
    scheme, _, tokens = connection.headers.get("authorization", "").partition(" ")
    if not scheme:
        return []
    if scheme.lower() != "bearer":
        raise RequestError("unknown-token")
    return [token.strip() for token in tokens[:2000].split(",") if token.strip()]
