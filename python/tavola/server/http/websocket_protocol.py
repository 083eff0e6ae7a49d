"""Uvicorn's web socket protocol, for clients that may not read or may send anything."""

from __future__ import annotations

import asyncio
import logging
from typing import cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from tavola.server.http.unread_output import UnreadOutput


class WebSocketProtocol(UnreadOutput, WebSocketsSansIOProtocol):
    """A web socket whose connection is aborted if its client does not read."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Watch every unread byte: a socket closes only after all has been read."""
        super().connection_made(transport)
        cast("asyncio.Transport", transport).set_write_buffer_limits(high=0)


def _is_notable(record: logging.LogRecord) -> bool:
    """Return whether a log record is not about a client's invalid UTF-8, which is no error here."""
    return not (record.exc_info and isinstance(record.exc_info[1], UnicodeDecodeError))


logging.getLogger("uvicorn.error").addFilter(_is_notable)
