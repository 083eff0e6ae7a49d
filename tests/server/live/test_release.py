"""A match that nothing uses is freed at once, without the garbage collector."""

from __future__ import annotations

import asyncio
import gc
import weakref
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tavola.server.http.match_stream import StreamViewer
from tavola.server.live import match_registry
from tavola.server.live.engine_pool import EnginePool
from tavola.server.live.live_match import LiveMatch
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.command import Command
from tavola.server.matches.time_control import MainTime
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.schema.requests import EngineSeat, NewMatch, PersonSeat
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import Downtime
from tests.server.databases import url_of
from tests.server.live_server import PATIENCE

BOTH = frozenset({0, 1})
MANY = 300


@contextmanager
def without_collector() -> Iterator[None]:
    """Lets nothing go but what no reference holds."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def play(live_match: LiveMatch) -> None:
    """Watches, plays the first action and resigns."""
    viewer = StreamViewer(BOTH, "here")
    await live_match.subscribe(viewer)
    live_match.presence.broadcast(viewer)
    await live_match.chat.post(0, "hello", BOTH)
    for number, (do, token) in enumerate((("play", "Pnw"), ("resign", None))):
        match = await live_match.match()
        command = Command(id=f"c{number}", seq=match.seq, seat=0, do=do, token=token)  # type: ignore[arg-type]
        await live_match.execute(command, BOTH, "here")
    live_match.unsubscribe(viewer)


@pytest.mark.parametrize(
    "wanted",
    [
        NewMatch(game="potlatch", seats=(PersonSeat(), PersonSeat()), confirm=False),
        NewMatch(
            game="potlatch",
            seats=(PersonSeat(), PersonSeat()),
            confirm=False,
            time=MainTime(seconds=60),
        ),
        NewMatch(game="potlatch", seats=(PersonSeat(), EngineSeat(seconds=0.01)), confirm=False),
    ],
    ids=["no clock", "clock", "engine"],
)
def test_a_closed_match_is_freed(tmp_path: Path, wanted: NewMatch) -> None:
    store = Database(url_of(tmp_path / "tavola.db"))

    async def work() -> None:
        engines = EnginePool(1)
        registry = MatchRegistry(store, engines, Downtime(store), WorkQueue(1, RateLimits()))
        created = await registry.create(wanted)
        live_match = await registry.open(created.match)
        await play(live_match)
        freed = asyncio.Event()
        weakref.finalize(live_match, freed.set)
        registry._recent.clear()
        del live_match
        # The last tasks end, and let it go.
        async with asyncio.timeout(PATIENCE):
            await freed.wait()
        assert registry.open_count == 0
        await engines.close()

    with closing(store), without_collector():
        asyncio.run(work())


@pytest.mark.long
def test_many_closed_matches_leave_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their number does not count: only the most recent ones stay."""
    monkeypatch.setattr(match_registry, "RECENT_MATCHES", 10)
    store = Database(url_of(tmp_path / "tavola.db"))
    wanted = NewMatch(game="potlatch", seats=(PersonSeat(), PersonSeat()), confirm=False)
    alive = weakref.WeakSet[object]()

    async def work() -> None:
        engines = EnginePool(1)
        registry = MatchRegistry(store, engines, Downtime(store), WorkQueue(1, RateLimits()))
        for _ in range(MANY):
            created = await registry.create(wanted)
            live_match = await registry.open(created.match)
            await play(live_match)
            alive.update((live_match, await live_match.match()))
            del live_match
            assert registry.open_count <= 11
        assert len(alive) <= 22
        await engines.close()

    with closing(store), without_collector():
        asyncio.run(work())
