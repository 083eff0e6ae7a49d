"""Security middleware for every request: headers, origin check and rate limits."""

from __future__ import annotations

import re
from ipaddress import ip_address
from typing import cast
from urllib.parse import urlsplit

import msgspec
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from tavola.language import negotiate
from tavola.server.accounts.api_tokens import TOKEN_PATTERN
from tavola.server.errors import STATUSES, RequestError
from tavola.server.http.error_responses import error_response
from tavola.server.moderation.bans import Bans
from tavola.server.ops.pace import Pace
from tavola.server.ops.rate_limits import RateLimits, client_key
from tavola.server.schema.validation import invalid_request

CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "font-src 'self'",
        "media-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "worker-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)

SECURITY_HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}

_SECURITY = [(name.encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]

EMBED = "/embed/"
"""The path of the widgets, which alone may stand in frames of other sites. They command nothing."""

PRIVATE = ("/api/account", "/api/moderation")
"""The paths whose answers are for one account, and must not be stored."""
_NO_STORE = (b"cache-control", b"no-store")

_EMBED_HEADERS = SECURITY_HEADERS | {
    "content-security-policy": CONTENT_SECURITY_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    )
}
_EMBED_SECURITY = [(name.encode(), value.encode()) for name, value in _EMBED_HEADERS.items()]


_HOST = re.compile(r"([A-Za-z0-9._~%-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?")
_LOCAL = "localhost"


def check_host(headers: Headers, names: frozenset[str]) -> None:
    """Check the `Host` header, which addresses in answers are made of.

    The page of another site can reach this server under the name of that site (DNS rebinding), so
    the server accepts its own names only. No page can do so under an IP address.

    Args:
        headers: The headers of the request.
        names: The names of the server, beside IP addresses and `localhost`.

    Raises:
        RequestError: `host`.
    """
    given = headers.get("host")
    if given is None:
        return
    found = _HOST.fullmatch(given)
    if found is None or int(found[2] or 0) > 65_535:
        raise RequestError("host", host=given[:200])
    name = found[1].lower().removesuffix(".")
    if name in names or name == _LOCAL or name.endswith(f".{_LOCAL}"):
        return
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        raise RequestError("host", host=given[:200]) from None


def check_origin(headers: Headers, allowed: tuple[str, ...]) -> None:
    """Accept pages of this server and of allowed origins, and clients that are not browsers.

    Raises:
        RequestError: `origin`.
    """
    origin = headers.get("origin")
    if origin is None or origin in allowed:
        return
    try:
        host = urlsplit(origin).netloc
    except ValueError:
        host = ""
    if not host or host != headers.get("host"):
        raise RequestError("origin", origin=origin[:200])


def check_url(path: str, query: bytes) -> None:
    """Reject NUL characters, which PostgreSQL does not accept even in a query, and API tokens.

    Raises:
        RequestError: `not-found`, `invalid`, `token-in-url`.
    """
    # Logs and histories contain URLs.
    if TOKEN_PATTERN.search(query) or TOKEN_PATTERN.search(path.encode(errors="replace")):
        raise RequestError("token-in-url")
    if "\0" in path:
        raise RequestError("not-found", path=path[:200])
    if b"%00" in query:
        raise invalid_request("nul", "?")


class SecurityMiddleware:
    """ASGI middleware around everything, the routing included.

    Args:
        app: What is guarded.
        limits: The limits of every client.
        bans: The banned addresses.
        origins: The origins of the server, and further ones whose pages may command.
        names: Further host names of the server.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        limits: RateLimits,
        bans: Bans,
        origins: tuple[str, ...],
        names: tuple[str, ...] = (),
    ) -> None:
        self._app = app
        self._limits = limits
        self._bans = bans
        self._pace = Pace(limits)
        self._origins = origins
        own = (urlsplit(origin).hostname or "" for origin in origins)
        self._names = frozenset(own) | {name.lower() for name in names}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        kind: str = scope["type"]
        if kind == "lifespan":
            await self._app(scope, receive, send)
            return
        address = scope.get("client")
        client = client_key(address[0]) if address else ""
        await self._pace.wait(client)
        await self._pace.run(client, self._pass_on(client, scope, receive, send))

    async def _pass_on(self, client: str, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers.from_scope(scope)
        security = _EMBED_SECURITY if scope["path"].startswith(EMBED) else _SECURITY

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *security]
            await send(message)

        if scope.get("method") == "HEAD":
            scope, send = _as_get(scope, send)
        if scope["path"].startswith(PRIVATE):
            security = [*security, _NO_STORE]

        try:
            self._bans.check(client)
            self._limits.count_request(client)
            if scope["type"] == ScopeType.WEBSOCKET:
                self._limits.count_handshake(client)
            check_host(headers, self._names)
            check_url(scope["path"], scope["query_string"])
            if scope.get("method") not in ("GET", "HEAD", "OPTIONS"):
                check_origin(headers, self._origins)
        except RequestError as error:
            await send_error(scope, headers, send_guarded, error)
            return
        await self._app(scope, receive, send_guarded)


def _as_get(scope: Scope, send: Send) -> tuple[Scope, Send]:
    """Return a HEAD request as a GET request whose answer has no body."""
    ended = False

    async def send_head(message: Message) -> None:
        nonlocal ended
        if message["type"] == "http.response.body":
            if ended:
                return
            ended = True
            message = {"type": "http.response.body", "body": b"", "more_body": False}
        await send(message)

    return cast("Scope", {**scope, "method": "GET"}), send_head


async def send_error(scope: Scope, headers: Headers, send: Send, error: RequestError) -> None:
    """Answer a request, or a socket handshake, with an error."""
    if scope["type"] == ScopeType.WEBSOCKET:
        await send(
            {"type": "websocket.close", "code": 4000 + STATUSES[error.code], "reason": error.code}
        )
        return
    language = negotiate(headers.get("accept-language", ""))
    body = msgspec.json.encode(error_response(error, language))
    fields = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": STATUSES[error.code], "headers": fields})
    await send({"type": "http.response.body", "body": body, "more_body": False})
