"""Security middleware for every request: headers, origin check and rate limits."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec
from litestar.datastructures import Headers
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from tavola.language import negotiate
from tavola.server.http.error_responses import error_response
from tavola.server.ops.rate_limits import RateLimits, client_key
from tavola.server.schema.errors import RequestError
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

_EMBED_HEADERS = SECURITY_HEADERS | {
    "content-security-policy": CONTENT_SECURITY_POLICY.replace(
        "frame-ancestors 'none'", "frame-ancestors *"
    )
}
_EMBED_SECURITY = [(name.encode(), value.encode()) for name, value in _EMBED_HEADERS.items()]


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
    if host != headers.get("host"):
        raise RequestError("origin", origin=origin[:200])


def check_url(path: str, query: bytes) -> None:
    """Reject NUL characters, which PostgreSQL does not accept even in a query.

    Raises:
        RequestError: `not-found`, `invalid`.
    """
    if "\0" in path:
        raise RequestError("not-found", path=path[:200])
    if b"%00" in query:
        raise invalid_request("nul", "?")


class SecurityMiddleware:
    """ASGI middleware around everything, the routing included.

    Args:
        app: What is guarded.
        limits: The limits of every client.
        origins: The further origins whose pages may command.
    """

    def __init__(self, app: ASGIApp, *, limits: RateLimits, origins: tuple[str, ...]) -> None:
        self._app = app
        self._limits = limits
        self._origins = origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or reject it."""
        kind: str = scope["type"]
        if kind == "lifespan":
            await self._app(scope, receive, send)
            return
        headers = Headers.from_scope(scope)
        security = _EMBED_SECURITY if scope["path"].startswith(EMBED) else _SECURITY

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], *security]
            await send(message)

        try:
            address = scope.get("client")
            client = client_key(address[0]) if address else ""
            self._limits.count_request(client)
            if kind == ScopeType.WEBSOCKET:
                self._limits.count_handshake(client)
            check_url(scope["path"], scope["query_string"])
            if scope.get("method") not in ("GET", "HEAD", "OPTIONS"):
                check_origin(headers, self._origins)
        except RequestError as error:
            await send_error(scope, headers, send_guarded, error)
            return
        await self._app(scope, receive, send_guarded)


async def send_error(scope: Scope, headers: Headers, send: Send, error: RequestError) -> None:
    """Answer a request, or a socket handshake, with an error."""
    if scope["type"] == ScopeType.WEBSOCKET:
        await send({"type": "websocket.close", "code": 4000 + error.status, "reason": error.code})
        return
    language = negotiate(headers.get("accept-language", ""))
    body = msgspec.json.encode(error_response(error, language))
    fields = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": error.status, "headers": fields})
    await send({"type": "http.response.body", "body": body, "more_body": False})
