"""Streams: a match told over HTTP, a line of JSON for each picture; for programs that play."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing

from tavola.server.live.live_match import Table
from tavola.server.ops.rate_limits import Limits
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

STILL_SECONDS = 15.0
"""After so many seconds without news an empty line is sent, to see whether anybody is there."""

WAITING = 256
"""How many lines wait for a slow reader before the stream ends, to be opened afresh."""


class StreamViewer(Viewer):
    """Somebody who reads a stream."""

    def __init__(self, held: frozenset[int], client: str) -> None:
        self.held = held
        self.client = client
        # Lines, and whether the match is over with them: pictures would weigh more while they wait.
        self._news: asyncio.Queue[tuple[bytes, bool] | None] = asyncio.Queue()

    @property
    def lag(self) -> float | None:
        """Nobody has measured it."""
        return None

    def tell(self, update: Update) -> None:
        """An event was logged."""
        self._add(update.whole, over=update.over)

    def show(self, snapshot: Snapshot) -> None:
        """There is something new to see."""
        self._add(encode(SnapshotMessage(snapshot)), over=snapshot.status == "over")

    def tell_presence(self, presence: PresenceMessage) -> None:
        """Programs do not mind who else is there."""

    def tell_lines(self, lines: tuple[ChatLine, ...], *, whole: bool) -> None:
        """Nor do they chat."""

    def send_away(self) -> None:
        """The match is kept by another process now."""
        self._news.put_nowait(None)

    async def lines(self, table: Table) -> AsyncGenerator[bytes]:
        """What happens at the table, until the match is over."""
        try:
            self.show(await table.watch(self))
            table.company.look()
            over = False
            while not over:
                try:
                    async with asyncio.timeout(STILL_SECONDS):
                        news = await self._news.get()
                except TimeoutError:
                    yield b"\n"
                    continue
                if news is None:
                    return
                line, over = news
                yield line
        finally:
            table.leave(self)

    def _add(self, message: bytes, *, over: bool) -> None:
        if self._news.qsize() < WAITING:
            self._news.put_nowait((message + b"\n", over))
        elif self._news.qsize() == WAITING:
            self._news.put_nowait(None)


def serve(table: Table, held: frozenset[int], limits: Limits, client: str) -> AsyncGenerator[bytes]:
    """A stream for a client, who may have so many as sockets.

    Raises:
        Refused: `too-many-viewers`.
    """
    limits.check_room(client)
    return _counted(StreamViewer(held, client).lines(table), limits, client)


async def _counted(
    lines: AsyncGenerator[bytes], limits: Limits, client: str
) -> AsyncGenerator[bytes]:
    # Here and not before: what has never begun does not end.
    limits.enter(client)
    try:
        async with aclosing(lines):
            async for line in lines:
                yield line
    finally:
        limits.leave(client)
