"""Engine seats: they act on their own, block no other match, and stop on request."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

import tavola
from tavola.server.live.engine_pool import EnginePool, SearchTask
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.storage.database import Database, InThread
from tavola.server.storage.downtime import Downtime
from tests.server.databases import change, rows, url_of
from tests.server.live_server import ENGINE, PERSON, Json, LiveServer, serve, wait_until

SLOW: Json = {"kind": "engine", "seconds": 60}
"""Thinks longer than any test takes, on a machine with much else to do."""


def figures(server: LiveServer, *names: str) -> list[float]:
    """Return the server's own metrics."""
    lines = server.http.get("/metrics").text.splitlines()
    told = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return [float(told[f"tavola_{name}"]) for name in names]


def test_an_engine_plays_its_whole_turn(server: LiveServer) -> None:
    guest = server.create_match(seats=[ENGINE, PERSON], confirm=True)
    with guest.connect() as chair:
        snapshot = chair.receive()["snapshot"]
        while snapshot["acting"] != 1:
            snapshot = chair.receive_until("update")["snapshot"]
    assert [entry["seat"] for entry in snapshot["log"]] == [0, 0]
    assert snapshot["status"] == "playing"


def test_engines_play_each_other_to_the_end(server: LiveServer) -> None:
    guest = server.create_match(seats=[ENGINE, ENGINE])
    with guest.connect() as chair:
        snapshot = chair.receive()["snapshot"]
        while snapshot["status"] != "over":
            snapshot = chair.receive_until("update")["snapshot"]
    assert snapshot["result"]["reason"]
    record = server.http.get(f"{guest.url}/record").text
    (read,) = tavola.read_records(record)
    state = tavola.load("potlatch").start()
    assert state.play_all(" ".join(step.token for step in read.line)).outcome is not None


def test_engine_matches_pause_without_viewers(tmp_path: Path) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        alone = [server.create_match(seats=[ENGINE, ENGINE]) for _ in range(3)]
        against = server.create_match(seats=[PERSON, ENGINE])
        against.play("Pnw", "Pw")
        wait_until(lambda: against.snapshot()["acting"] != 1)
        assert [one.snapshot()["seq"] for one in alone] == [0, 0, 0]
        with alone[0].connect() as chair:
            assert chair.receive_until("update")["seq"] == 1
        # The result of the search under way is played, and then they rest again.
        wait_until(lambda: figures(server, "sockets", "engines_thinking") == [0, 0])
        time.sleep(0.3)
        seq = alone[0].snapshot()["seq"]
        time.sleep(0.3)
        assert alone[0].snapshot()["seq"] == seq
    # Nor are they taken up when the server starts.
    due = dict(rows(tmp_path / "tavola.db", "SELECT id, engine_due FROM matches"))
    assert not any(due[one.match] for one in alone)


@pytest.mark.long
def test_a_running_search_blocks_no_client(tmp_path: Path) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        thinking = [server.create_match(seats=[SLOW, PERSON]) for _ in range(2)]
        guest = server.create_match()
        for _ in range(20):
            guest.play("Pw")
            guest.do("undo")
        # All of that while it thinks about its first action.
        assert [one.snapshot()["seq"] for one in thinking] == [0, 0]


def test_an_engine_stops_when_its_match_is_resigned_or_taken_back(tmp_path: Path) -> None:
    with serve(tmp_path, engine_threads=1) as server:
        resigned = server.create_match(seats=[SLOW, PERSON])
        waiting = server.create_match(seats=[PERSON, SLOW])
        waiting.play("Pnw", "Pw")
        assert waiting.snapshot()["acting"] == 1
        # One thread: these engines can only act once the slow ones have been stopped.
        quick = server.create_match(seats=[ENGINE, PERSON])
        time.sleep(0.3)
        assert quick.snapshot()["seq"] == 0
        resigned.do("resign", seat=1)
        assert waiting.do("undo")["acting"] == 0
        with quick.connect() as chair:
            snapshot = chair.receive()["snapshot"]
            while snapshot["acting"] != 1:
                snapshot = chair.receive_until("update")["snapshot"]
        assert resigned.snapshot()["seq"] == 1
        assert waiting.snapshot()["seq"] == 3


@pytest.mark.long
def test_shutting_down_does_not_wait_for_engines(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with serve(tmp_path, engine_threads=2) as server:
        for _ in range(3):
            server.create_match(seats=[SLOW, PERSON])
        time.sleep(0.2)
        began = time.monotonic()
    assert time.monotonic() - began < SLOW["seconds"] / 2
    assert set(threading.enumerate()) <= before


@pytest.mark.long
def test_the_engine_continues_after_a_restart_without_viewers(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        guest = server.create_match(seats=[PERSON, SLOW])
        guest.play("Pnw", "Pw")
        assert guest.snapshot()["seq"] == 2
    database = tmp_path / "tavola.db"
    assert rows(database, "SELECT engine_due FROM matches") == [(True,)]
    change(database, "UPDATE seats SET seconds = 0.02 WHERE kind = 'engine'")
    with serve(tmp_path):
        # The entry that ends the engine's turn says so in the same transaction.
        wait_until(lambda: rows(database, "SELECT engine_due FROM matches") == [(False,)])
        seats = rows(database, "SELECT seat FROM events ORDER BY seq")
        assert seats == [(0,), (0,), (1,), (1,)]


def test_what_cannot_be_resumed_holds_up_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(tmp_path) as server:
        due = [server.create_match(seats=[SLOW, PERSON]).match for _ in range(3)]
    failing, broken, whole = due
    database = tmp_path / "tavola.db"
    change(database, "UPDATE matches SET rules_version = 0 WHERE id = :id", id=broken)
    load, asked = Database.load, list[str]()

    async def fail_once(store: Database, match: str, run: InThread | None = None) -> Any:
        asked.append(match)
        if match == failing and asked.count(failing) == 1:
            raise sa.exc.OperationalError("SELECT", {}, Exception("gone"))
        return await load(store, match, run)

    async def in_this_order(_: Database) -> list[str]:
        return due

    monkeypatch.setattr(Database, "load", fail_once)
    monkeypatch.setattr(Database, "engines_due", in_this_order)
    store = Database(url_of(database))

    async def resume_twice() -> list[set[str]]:
        engines = EnginePool(1)
        tables = MatchRegistry(store, engines, Downtime(store), WorkQueue(1, RateLimits()))
        seen = []
        for _ in range(2):
            await tables.resume()
            seen.append(set(tables.open_ids()))
        await engines.close()
        return seen

    try:
        assert asyncio.run(resume_twice()) == [{whole}, {whole, failing}]
    finally:
        store.close()
    # A broken engine is not tried again.
    assert asked == [failing, broken, whole, failing]


def test_a_stopped_search_has_no_answer() -> None:
    async def work() -> tuple[str | None, str | None]:
        engines = EnginePool(1)
        try:
            slow = SearchTask("slow", "auto:seconds=60", tavola.load("potlatch").start())
            thinking = asyncio.create_task(engines.choose_action(slow))
            await asyncio.sleep(0.2)
            engines.stop(slow)
            quick = SearchTask("quick", "auto:seconds=0.05", tavola.load("potlatch").start())
            return await thinking, await engines.choose_action(quick)
        finally:
            await engines.close()

    stopped, answered = asyncio.run(asyncio.wait_for(work(), 30))
    assert stopped is None
    assert answered in tavola.load("potlatch").start().legal_actions


class Panic(BaseException):
    """A failure in the core comes as no `Exception` either."""


@pytest.mark.parametrize("error", [RuntimeError, Panic])
def test_an_engine_that_fails_leaves_the_match_playable(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    guest = server.create_match(seats=[PERSON, ENGINE])
    with monkeypatch.context() as broken:

        def fail(*_: object, **__: object) -> None:
            raise error("broken engine")

        broken.setattr("tavola.server.live.engine_pool.SearchTask.run", fail)
        guest.play("Pnw", "Pw")
        time.sleep(0.2)
        assert guest.snapshot()["acting"] == 1
    # The engine starts again with the next viewer.
    with guest.connect() as chair:
        snapshot = chair.receive()["snapshot"]
        while snapshot["acting"] != 0:
            snapshot = chair.receive_until("update")["snapshot"]
    assert snapshot["seq"] == 4
