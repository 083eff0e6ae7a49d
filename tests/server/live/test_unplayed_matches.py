"""Matches that no player played are deleted when they are old."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from tavola.server.live import unplayed_matches
from tavola.server.live.engine_pool import EnginePool
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.live.unplayed_matches import BATCH, START, purge, purge_batch
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.schema.requests import NewMatch, PersonSeat
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import Downtime
from tests.server.databases import change, rows, url_of
from tests.server.live_server import PATIENCE, PERSON, error_of, serve
from tests.server.players import signed_up_player

OLD = "2020-01-01T00:00:00.000+00:00"


async def _purge(file: Path) -> None:
    store, engines = Database(url_of(file)), EnginePool(1)
    try:
        registry = MatchRegistry(store, engines, Downtime(store), WorkQueue(1, RateLimits()))
        reached, _ = await purge_batch(store, registry, START)
        assert reached is not None
        assert await purge_batch(store, registry, reached) == (None, None)
    finally:
        await engines.close()
        await asyncio.to_thread(store.close)


@pytest.mark.long
def test_old_matches_without_an_action_are_deleted(tmp_path: Path) -> None:
    file = tmp_path / "tavola.db"
    with serve(tmp_path) as server, signed_up_player(server) as member:
        played, young, resigned = (server.create_match() for _ in range(3))
        played.play("Pnw")
        resigned.do("resign")
        unplayed = [server.create_match(game=game) for game in ("potlatch", "montana")]
        own = member.begin(seats=[PERSON, PERSON])["match"]
        with unplayed[0].connect() as chair:
            chair.send(type="say", seat=0, text="hello")
            chair.receive_until("chat")
            chair.send(type="report", seat=1, line=1)
    gone = [*(one.match for one in unplayed), own]
    kept = {played.match, young.match, resigned.match}
    assert len(gone) + len(kept) < BATCH
    for match in {*gone, *kept} - {young.match}:
        change(file, "UPDATE matches SET created = :old WHERE id = :match", old=OLD, match=match)
    asyncio.run(_purge(file))
    assert {match for (match,) in rows(file, "SELECT id FROM matches")} == kept
    for table in ("seats", "events", "standings", "chat"):
        assert {match for (match,) in rows(file, f'SELECT "match" FROM {table}')} <= kept
    with serve(tmp_path) as server:
        assert error_of(server.http.get(f"/api/matches/{gone[0]}")) == (404, "unknown-match")
        assert server.http.get(played.url).json()["seq"] == 1


def test_a_match_that_was_open_is_deleted_later_and_errors_of_the_database_pass(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a restart; another one is younger than it, so that the search goes past it."""
    file = tmp_path / "tavola.db"
    store = Database(url_of(file))
    monkeypatch.setattr(unplayed_matches, "BATCH", 1)
    monkeypatch.setattr(unplayed_matches, "START_SECONDS", 0)
    monkeypatch.setattr(unplayed_matches, "INTERVAL_SECONDS", 0.01)
    failures = [sa.exc.OperationalError("SELECT", None, OSError("disk"))]
    batch = unplayed_matches.purge_batch

    async def failing(*arguments: Any) -> Any:
        if failures:
            raise failures.pop()
        return await batch(*arguments)

    monkeypatch.setattr(unplayed_matches, "purge_batch", failing)

    def left() -> set[str]:
        return {match for (match,) in rows(file, "SELECT id FROM matches")}

    async def until(wanted: set[str]) -> None:
        async with asyncio.timeout(PATIENCE):
            while left() != wanted:
                await asyncio.sleep(0.01)

    async def work() -> None:
        engines = EnginePool(1)
        registry = MatchRegistry(store, engines, Downtime(store), WorkQueue(1, RateLimits()))
        wanted = NewMatch(game="potlatch", seats=(PersonSeat(), PersonSeat()))
        opened = (await registry.create(wanted)).match
        closed = (await registry.create(wanted)).match
        await registry.release(closed)
        for match, created in ((opened, OLD), (closed, OLD.replace("2020", "2021"))):
            change(file, "UPDATE matches SET created = :at WHERE id = :id", at=created, id=match)
        purging = asyncio.create_task(purge(store, registry))
        await until({opened})
        await registry.release(opened)
        await until(set())
        purging.cancel()
        await engines.close()

    try:
        asyncio.run(work())
    finally:
        store.close()
