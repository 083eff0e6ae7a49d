"""Uvicorn's web socket protocol, with a fast path for short messages.

Nearly all incoming messages are short texts in one frame, and nearly all outgoing ones fit the
network's buffer. Both take a short path here; all others go through uvicorn. Without the short path
for outgoing messages, an action with a large view costs 1.28 times the processor time. Incoming
messages wait in a queue for their one reader. A long queue pauses the connection.
"""

from __future__ import annotations

import asyncio
import struct
import time
from collections.abc import Callable, Mapping
from typing import Any, cast

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

from tavola.server.http.unread_output import UnreadOutput

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it was installed without a compiler
    from websockets.utils import apply_mask

_WRITE = "tavola.write"
"""The extension of the ASGI scope that writes a text at once."""

Write = Callable[[bytes], bool]
"""Writes a text, in UTF-8; `False`: it cannot be written now, and goes the usual way."""

ARRIVED = "tavola.arrived"
"""The time at which a message arrived, by `time.monotonic`, beside its text."""

_TEXT = 0x81
"""The first byte of a text in one frame."""


def direct_write(scope: Mapping[str, Any]) -> Write:
    """Return the direct writer of an ASGI scope; without one, it always fails."""
    write: Write = (scope.get("extensions") or {}).get(_WRITE, lambda text: False)
    return write


READ_AHEAD = 8
"""How many messages may wait for their reader before no more are taken from the network."""


class _MessageQueue:
    """Unread messages: as much of a queue as one reader needs.

    Ten thousand wait at idle sockets, so one that is empty is to be small.
    """

    __slots__ = ("_messages", "_reader")

    def __init__(self) -> None:
        self._messages: list[Any] = []
        self._reader: asyncio.Future[None] | None = None

    def put_nowait(self, message: Any) -> None:
        """Add a message, and wake the reader."""
        self._messages.append(message)
        if self._reader is not None and not self._reader.done():
            self._reader.set_result(None)

    async def get(self) -> Any:
        """Wait for the next one and return it."""
        while not self._messages:
            self._reader = asyncio.get_running_loop().create_future()
            await self._reader
        return self._messages.pop(0)

    def qsize(self) -> int:
        """Return the number of messages."""
        return len(self._messages)

    def empty(self) -> bool:
        """Return whether there is no message."""
        return not self._messages


class WebSocketProtocol(UnreadOutput, WebSocketsSansIOProtocol):
    """A web socket of uvicorn's with short ways for short texts."""

    _partial_frame = b""
    """The beginning of a frame."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.queue = cast("asyncio.Queue[Any]", _MessageQueue())

    def handle_connect(self, event: Request) -> None:
        """Let the application write directly as soon as a client connects."""
        super().handle_connect(event)
        if self.response.status_code == 101:
            cast("dict[str, Any]", self.scope["extensions"])[_WRITE] = self.write

    def keepalive_timeout(self) -> None:
        """Close the socket of a client that does not answer; it may not read either."""
        super().keepalive_timeout()
        self.watch_output()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle a lost connection; release the connection from the application's callables."""
        super().connection_lost(exc)
        if self.handshake_initiated and self.response.status_code == 101:
            cast("dict[str, Any]", self.scope["extensions"]).pop(_WRITE, None)

    def _is_open(self) -> bool:
        """Return whether both sides are open; cheaper than asking `conn`."""
        return self.handshake_complete and not self.close_sent and not self.transport.is_closing()

    def write(self, text: bytes) -> bool:
        """Write a text, if the network has room for it."""
        if not self._is_open() or not self.writable.is_set():
            return False
        length = len(text)
        if length < 126:
            head = struct.pack("!BB", _TEXT, length)
        elif length < 1 << 16:
            head = struct.pack("!BBH", _TEXT, 126, length)
        else:
            head = struct.pack("!BBQ", _TEXT, 127, length)
        self.transport.write(head + text)
        return True

    def data_received(self, data: bytes) -> None:
        """Take whole frames from what has come; texts are taken here, the others by uvicorn."""
        if not self._is_open():
            data, self._partial_frame = self._partial_frame + data, b""
            super().data_received(data)
            return
        data, at = self._partial_frame + data if self._partial_frame else data, 0
        while len(data) >= at + 2:
            first, second = data[at], data[at + 1]
            length, start = second & 0x7F, at + 2
            if length > 125:
                start += 2 if length == 126 else 8
                if len(data) < start:
                    break
                length = int.from_bytes(data[at + 2 : start], "big")
            start += 4
            if second < 0x80 or length > self.config.ws_max_size:
                # A protocol error: uvicorn reports it.
                self._partial_frame = b""
                super().data_received(data[at:])
                return
            end = start + length
            if len(data) < end:
                break
            if first == _TEXT and not self.frames and self._is_open():
                self._on_text(apply_mask(data[start:end], data[start - 4 : start]))
            else:
                super().data_received(data[at:end])
            at = end
        self._partial_frame = data[at:]

    def _on_text(self, said: bytes) -> None:
        """Handle a received text."""
        try:
            text = said.decode()
        except UnicodeDecodeError:
            self._close_invalid_utf8()
            return
        if self.close_sent:
            return
        message: Any = {"type": "websocket.receive", "text": text, ARRIVED: time.monotonic()}
        self.queue.put_nowait(message)
        if self.queue.qsize() >= READ_AHEAD and not self.read_paused:
            self.read_paused = True
            self.transport.pause_reading()

    def send_receive_event_to_app(self) -> None:
        """Handle a message from uvicorn's path, for example one in fragments."""
        if self.curr_msg_data_type == "text":
            try:
                b"".join(self.frames).decode()
            except UnicodeDecodeError:
                self._close_invalid_utf8()
                return
        super().send_receive_event_to_app()

    def _close_invalid_utf8(self) -> None:
        """Close the socket after invalid UTF-8, without an entry in the server's log."""
        self.frames = []
        if not self.close_sent:
            self.conn.send_close(1007)
            self.handle_parser_exception()
