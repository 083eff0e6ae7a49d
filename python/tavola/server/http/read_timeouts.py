"""Uvicorn's HTTP protocol, with a timeout for reading a request or the request of a web socket.

Uvicorn itself waits for the rest of a request without limit. A request that arrives at once starts
no timer, and open web sockets and streams have none. Few connections of an address are accepted.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from typing import Any, cast

import h11
import msgspec
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from tavola.language import negotiate
from tavola.server.errors import STATUSES, RequestError
from tavola.server.http.error_responses import error_response
from tavola.server.http.security_middleware import SECURITY_HEADERS
from tavola.server.http.unread_output import UnreadOutput
from tavola.server.ops.rate_limits import (
    FIRST_BYTE_SECONDS,
    MAX_CONNECTIONS,
    REQUEST_READ_SECONDS,
    client_key,
)

_RECEIVING_STATES = (h11.IDLE, h11.SEND_BODY)
"""The client's states while more of a request is expected."""


_connections: Counter[str] = Counter()
"""The HTTP connections of this process, by address."""


class ReadTimeoutProtocol(UnreadOutput, H11Protocol):
    """An HTTP connection of uvicorn's that waits for the rest of a request for so long only."""

    _read_timer: asyncio.TimerHandle | None = None
    """Runs while a request has arrived in part."""

    _counted: str | None = None
    """The address for which this connection counts."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count the connection, and limit the wait for the first byte."""
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(
            FIRST_BYTE_SECONDS, self.timeout_keep_alive_handler
        )
        address = self.client[0] if self.client else ""
        if isinstance(self.app, ProxyHeadersMiddleware) and address in self.app.trusted_hosts:
            return
        self._counted = client_key(address)
        _connections[self._counted] += 1
        if _connections[self._counted] > MAX_CONNECTIONS:
            transport.abort()

    def handle_websocket_upgrade(self, event: h11.Request) -> None:
        """Hand the connection over to the web socket protocol."""
        self._uncount()
        super().handle_websocket_upgrade(event)

    def data_received(self, data: bytes) -> None:
        """Handle received bytes."""
        super().data_received(data)
        # A connection that became a web socket is no longer timed.
        if self.conn.their_state not in _RECEIVING_STATES or self not in self.connections:
            self._cancel_timer()
        elif self._read_timer is None:
            self._read_timer = self.loop.call_later(REQUEST_READ_SECONDS, self._on_timeout)

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle a lost connection."""
        self._cancel_timer()
        self._uncount()
        super().connection_lost(exc)

    def _uncount(self) -> None:
        if self._counted is not None:
            _connections[self._counted] -= 1
            if not _connections[self._counted]:
                del _connections[self._counted]
            self._counted = None

    def _cancel_timer(self) -> None:
        if self._read_timer is not None:
            self._read_timer.cancel()
            self._read_timer = None

    def _on_timeout(self) -> None:
        """Answer with a timeout, unless an answer has begun, and close."""
        self._read_timer = None
        if self.transport.is_closing() or self not in self.connections:
            return  # It is a web socket's by now.
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self._send_error(RequestError("too-slow", seconds=REQUEST_READ_SECONDS))
        if self.cycle is not None:
            # The task that waits for the body gets an end instead of a body.
            self.cycle.disconnected = True
        self.transport.close()

    def _send_error(self, refused: RequestError) -> None:
        asked = {} if self.conn.their_state is h11.IDLE else dict(self.headers)
        language = negotiate(asked.get(b"accept-language", b"").decode("latin-1"))
        body = msgspec.json.encode(error_response(refused, language))
        fields: dict[str, str] = {
            "content-type": "application/json",
            "content-language": language,
            "content-length": str(len(body)),
            "connection": "close",
            **SECURITY_HEADERS,
        }
        start = h11.Response(
            status_code=STATUSES[refused.code],
            headers=cast(Any, list(fields.items())),
            reason=STATUS_PHRASES[STATUSES[refused.code]],
        )
        for event in (start, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event))
