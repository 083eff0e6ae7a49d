"""The lobby: matches that wait for anybody who wants to play them.

The list is what the database says, so that several servers on one database have one lobby. A match
is in it while a seat is open and whoever offers it is there: at its table, or not gone for long.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Any

import msgspec
import structlog
from litestar import WebSocket

from tavola.server.http.authentication import address_of
from tavola.server.live.match_registry import Tables
from tavola.server.matches.log import Header, moment
from tavola.server.matches.seating import Sitting
from tavola.server.ops.rate_limits import Limits
from tavola.server.schema.errors import Refused
from tavola.server.schema.responses import Challenge, ChallengesMessage
from tavola.server.storage.database import Store

_log = structlog.get_logger("tavola.lobby")

LOOK_EVERY = 3.0
"""Seconds after which the database is asked, if somebody watches: another server may have news."""
PAUSE = 0.2
"""Seconds after which they are told again at the soonest."""
SEEN_EVERY = 60.0
"""Seconds after which it is written down who is still there."""
GONE = timedelta(minutes=10)
"""Whoever offers a match may be away for so long."""

_encode = msgspec.json.Encoder().encode


class Lobby:
    """Who waits for others to play.

    Args:
        store: The database.
        tables: Where it is seen who is there.
        gone: For how long whoever offers a match may be away.
    """

    def __init__(self, store: Store, tables: Tables, *, gone: timedelta = GONE) -> None:
        self._store = store
        self._tables = tables
        self._gone = gone
        self._watchers: set[asyncio.Queue[tuple[Challenge, ...]]] = set()
        self._changed = asyncio.Event()

    def changed(self) -> None:
        """Something was offered, taken or withdrawn: whoever watches is told at once."""
        self._changed.set()

    async def list(self) -> tuple[Challenge, ...]:
        """What is offered now, the oldest first."""
        since = moment(datetime.now(UTC) - self._gone)
        offers = await self._store.offers(since)
        return tuple(map(_challenge, filter(self._stands, offers)))

    async def watch(self) -> AsyncIterator[tuple[Challenge, ...]]:
        """The list now, and again whenever it is another."""
        news: asyncio.Queue[tuple[Challenge, ...]] = asyncio.Queue()
        self._watchers.add(news)
        try:
            told = await self.list()
            yield told
            while True:
                latest = await news.get()
                # Who was slow needs only the last of it.
                while not news.empty():
                    latest = news.get_nowait()
                if latest != told:
                    told = latest
                    yield told
        finally:
            self._watchers.discard(news)

    async def run(self) -> None:
        """Keeps the list as things are, until it is cancelled."""
        loop = asyncio.get_running_loop()
        seen_at = loop.time()
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(LOOK_EVERY):
                    await self._changed.wait()
            self._changed.clear()
            try:
                if loop.time() >= seen_at + SEEN_EVERY:
                    seen_at = loop.time()
                    await self.see()
                if self._watchers:
                    latest = await self.list()
                    for news in self._watchers:
                        news.put_nowait(latest)
                    # However much happens, whoever plays is to be hindered little.
                    await asyncio.sleep(PAUSE)
            except Exception:
                # The list stays as it is until the database answers again.
                _log.exception("lobby not read")

    async def see(self) -> None:
        """Writes down whose offers stand because they are there."""
        here = [table.id for table in self._tables.attended() if _waits(table.header)]
        if here:
            await self._store.still_offered(here)

    def _stands(self, header: Header) -> bool:
        table = self._tables.known(header.id)
        return header.is_open and (table is None or not table.over)


def _waits(header: Header) -> bool:
    return header.offered and header.is_open


def _challenge(header: Header) -> Challenge:
    return Challenge(
        match=header.id,
        game=header.game,
        options=header.options,
        seats=Sitting(header.seats, frozenset()).shown(frozenset()),
        time=header.time,
        since=header.created,
        rated=header.rated,
    )


async def serve(socket: WebSocket[Any, Any, Any], lobby: Lobby, limits: Limits) -> None:
    """Tells whoever looks at the lobby of everything in it; they have nothing to say."""
    await socket.accept()
    client = address_of(socket)
    try:
        limits.enter(client)
    except Refused as error:
        await socket.close(code=4000 + error.status)
        return
    telling = asyncio.create_task(_tell(socket, lobby))
    listening = asyncio.create_task(_listen(socket))
    try:
        done, _ = await asyncio.wait((telling, listening), return_when=asyncio.FIRST_COMPLETED)
        if telling in done:
            _log.debug("lobby's socket lost", error=repr(telling.exception()))
        elif listening.result():
            await socket.close(code=4000 + Refused("malformed").status)
    finally:
        telling.cancel()
        listening.cancel()
        await asyncio.gather(telling, listening, return_exceptions=True)
        limits.leave(client)


async def _tell(socket: WebSocket[Any, Any, Any], lobby: Lobby) -> None:
    async for challenges in lobby.watch():
        await socket.send_data(_encode(ChallengesMessage(challenges)), mode="text")


async def _listen(socket: WebSocket[Any, Any, Any]) -> bool:
    """Whether the client said something, and has not just gone."""
    message: Any = await socket.receive()
    return bool(message["type"] != "websocket.disconnect")
