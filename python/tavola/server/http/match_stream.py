"""Match streams over HTTP: a line of JSON for each update, for bots."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

from litestar.openapi import ResponseSpec

from tavola.server.live.live_match import LiveMatch
from tavola.server.moderation.bans import Bans
from tavola.server.ops.rate_limits import MAX_PENDING_BYTES, RateLimits
from tavola.server.schema.responses import (
    ChatLine,
    PresenceMessage,
    Snapshot,
    SnapshotMessage,
    encode,
)
from tavola.server.snapshots.presence import Viewer
from tavola.server.snapshots.updates import Update

MEDIA_TYPE = "application/x-ndjson"

KEEPALIVE_SECONDS = 15.0
"""Seconds without updates after which an empty line checks the connection."""


def lines_of(message: Any, description: str) -> ResponseSpec:
    """Return the description of a response with a message in each line."""
    return ResponseSpec(
        message, generate_examples=False, media_type=MEDIA_TYPE, description=description
    )


class StreamViewer(Viewer):
    """A viewer that reads a stream."""

    def __init__(self, held: frozenset[int], client: str) -> None:
        self.held = held
        self.client = client
        self.account = None
        # Encoded lines, and whether each is the last: snapshots would need more memory.
        self._pending: asyncio.Queue[tuple[bytes, bool] | None] = asyncio.Queue()
        self._pending_bytes = 0

    @property
    def lag(self) -> float | None:
        """Return `None`: streams are not measured."""
        return None

    @property
    def is_silent(self) -> bool:
        """Return False: streams are not asked."""
        return False

    def send_update(self, update: Update) -> None:
        """Handle a logged event."""
        self._add(update.full_message, over=update.is_final)

    def send_snapshot(self, snapshot: Snapshot) -> None:
        """Send a new snapshot."""
        self._add(encode(SnapshotMessage(snapshot)), over=snapshot.status == "over")

    def send_presence(self, presence: PresenceMessage) -> None:
        """Do nothing: bots need no presence."""

    def send_chat(self, lines: tuple[ChatLine, ...], *, whole: bool) -> None:
        """Nor do they chat."""

    def update_blocks(self, blocked: frozenset[str], lines: tuple[ChatLine, ...]) -> None:
        """Do nothing, as they read no chat."""

    def disconnect(self) -> None:
        """Handle the move of the match to another process."""
        self._pending.put_nowait(None)

    async def lines(self, live_match: LiveMatch) -> AsyncGenerator[bytes]:
        """Yield the updates of a match until it is over."""
        try:
            self.send_snapshot(await live_match.subscribe(self))
            live_match.presence.broadcast()
            over = False
            while not over:
                try:
                    async with asyncio.timeout(KEEPALIVE_SECONDS):
                        news = await self._pending.get()
                except TimeoutError:
                    yield b"\n"
                    continue
                if news is None:
                    return
                line, over = news
                self._pending_bytes -= len(line)
                yield line + b"\n"
        finally:
            live_match.unsubscribe(self)

    def _add(self, message: bytes, *, over: bool) -> None:
        """Queue a line; too much unread output ends the stream, and the client opens another."""
        waits = self._pending_bytes > 0
        if self._pending_bytes <= MAX_PENDING_BYTES:
            self._pending_bytes += len(message)
            too_much = waits and self._pending_bytes > MAX_PENDING_BYTES
            self._pending.put_nowait(None if too_much else (message, over))


def serve(
    live_match: LiveMatch,
    held: frozenset[int],
    limits: RateLimits,
    bans: Bans,
    client: str,
) -> AsyncGenerator[bytes]:
    """Return a stream for a client; streams count as sockets do.

    Raises:
        RequestError: `too-many-viewers`.
    """
    limits.check_socket_limit(client)
    return counted(StreamViewer(held, client).lines(live_match), limits, bans, client)


async def counted(
    lines: AsyncGenerator[bytes], limits: RateLimits, bans: Bans, client: str
) -> AsyncGenerator[bytes]:
    """Yield lines, and count the stream for its client as a socket."""
    # Here and not before: what has never begun does not end.
    limits.open_socket(client)
    try:
        async with aclosing(lines):
            async for line in lines:
                if bans.is_banned(client):
                    return
                yield line
    finally:
        limits.close_socket(client)
