"""The HTTP protocol, on uvicorn's: a request arrives within a time, and so does a web socket's.

Uvicorn waits for the rest of a request for as long as it takes. Nothing is counted here for what
arrives at once, nor of a web socket or a stream once it is open.
"""

from __future__ import annotations

import asyncio
from typing import Any, cast

import h11
import msgspec
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, H11Protocol

from tavola.server.http.error_responses import answer
from tavola.server.http.security_middleware import SECURITY_HEADERS
from tavola.server.ops.rate_limits import ARRIVAL
from tavola.server.schema.errors import Refused
from tavola.server.schema.locale import preferred

_ARRIVING = (h11.IDLE, h11.SEND_BODY)
"""What the other side is at while there is more to come."""


class Arrivals(H11Protocol):
    """An HTTP connection of uvicorn's that waits for the rest of a request for so long only."""

    _due: asyncio.TimerHandle | None = None
    """Runs while a request has arrived in part."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Somebody connects: who says nothing is kept as long as who has nothing more to say."""
        super().connection_made(transport)
        self.timeout_keep_alive_task = self.loop.call_later(
            self.timeout_keep_alive, self.timeout_keep_alive_handler
        )

    def data_received(self, data: bytes) -> None:
        """Takes what has come."""
        super().data_received(data)
        # What has become a web socket's is over here, and nothing is to hold it.
        if self.conn.their_state not in _ARRIVING or self not in self.connections:
            self._unset_due()
        elif self._due is None:
            self._due = self.loop.call_later(ARRIVAL, self._give_up)

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection is gone."""
        self._unset_due()
        super().connection_lost(exc)

    def _unset_due(self) -> None:
        if self._due is not None:
            self._due.cancel()
            self._due = None

    def _give_up(self) -> None:
        """Says that it took too long, unless something was answered already, and closes."""
        self._due = None
        if self.transport.is_closing() or self not in self.connections:
            return  # It is a web socket's by now.
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            self._refuse(Refused("too-slow", seconds=ARRIVAL))
        if self.cycle is not None:
            # Who waits for the body is told that there is none, and answers nobody.
            self.cycle.disconnected = True
        self.transport.close()

    def _refuse(self, refused: Refused) -> None:
        asked = {} if self.conn.their_state is h11.IDLE else dict(self.headers)
        language = preferred(asked.get(b"accept-language", b"").decode("latin-1"))
        body = msgspec.json.encode(answer(refused, language))
        fields: dict[str, str] = {
            "content-type": "application/json",
            "content-language": language,
            "content-length": str(len(body)),
            "connection": "close",
            **SECURITY_HEADERS,
        }
        start = h11.Response(
            status_code=refused.status,
            headers=cast(Any, list(fields.items())),
            reason=STATUS_PHRASES[refused.status],
        )
        for event in (start, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event))
