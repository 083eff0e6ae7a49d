"""Connections whose clients do not read what the server sends."""

from __future__ import annotations

import asyncio

from tavola.server.ops.rate_limits import UNREAD_BYTES, UNREAD_SECONDS


class UnreadOutput(asyncio.Protocol):
    """Aborts a connection whose client does not read; a base of uvicorn's protocols."""

    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport

    _unread_timer: asyncio.TimerHandle | None = None
    """Runs while sent data waits in the server's memory."""

    def pause_writing(self) -> None:
        """Start to measure: the buffer of the network is full."""
        super().pause_writing()
        self.watch_output()

    def resume_writing(self) -> None:
        """Stop measuring."""
        self._stop_watching()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Handle a lost connection."""
        self._stop_watching()
        super().connection_lost(exc)

    def watch_output(self) -> None:
        """Abort the connection unless the client reads what is sent; closing waits for that."""
        unread = self.transport.get_write_buffer_size()
        if unread and self._unread_timer is None:
            self._unread_timer = self.loop.call_later(UNREAD_SECONDS, self._check_output, unread)

    def _check_output(self, before: int) -> None:
        self._unread_timer = None
        if self.transport.get_write_buffer_size() > max(before - UNREAD_BYTES, 0):
            self.transport.abort()
        else:
            self.watch_output()

    def _stop_watching(self) -> None:
        if self._unread_timer is not None:
            self._unread_timer.cancel()
            self._unread_timer = None
