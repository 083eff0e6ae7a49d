"""Engine seats: they act by themselves, block nobody, and stop when told."""

from __future__ import annotations

import asyncio
import threading
import time
from pathlib import Path

import pytest

import tavola
from tavola.server.tables.engines import Engines, Thought
from tests.server.databases import change, rows
from tests.server.house import ENGINE, PERSON, House, serve

SLOW = {"kind": "engine", "seconds": 30}


def test_an_engine_plays_its_whole_turn(house: House) -> None:
    guest = house.begin(seats=[ENGINE, PERSON], confirm=True)
    with guest.sit() as chair:
        snapshot = chair.hear()["snapshot"]
        while snapshot["acting"] != 1:
            snapshot = chair.hear_until("update")["snapshot"]
    assert [entry["seat"] for entry in snapshot["log"]] == [0, 0]
    assert snapshot["status"] == "playing"


def test_engines_play_each_other_to_the_end(house: House) -> None:
    guest = house.begin(seats=[ENGINE, ENGINE])
    with guest.sit() as chair:
        snapshot = chair.hear()["snapshot"]
        while snapshot["status"] != "over":
            snapshot = chair.hear_until("update")["snapshot"]
    assert snapshot["result"]["reason"]
    record = house.http.get(f"{guest.url}/record").text
    (read,) = tavola.read_records(record)
    state = tavola.load("potlatch").start()
    assert state.play_all(" ".join(step.token for step in read.line)).outcome is not None


def test_a_thinking_engine_blocks_nobody(tmp_path: Path) -> None:
    with serve(tmp_path, engine_threads=1) as house:
        house.begin(seats=[SLOW, PERSON])
        house.begin(seats=[SLOW, PERSON])
        guest = house.begin()
        began = time.monotonic()
        for _ in range(20):
            guest.play("Pw")
            guest.do("undo")
        assert time.monotonic() - began < 5


def test_an_engine_stops_when_its_match_is_resigned_or_taken_back(tmp_path: Path) -> None:
    with serve(tmp_path, engine_threads=1) as house:
        resigned = house.begin(seats=[SLOW, PERSON])
        waiting = house.begin(seats=[PERSON, SLOW])
        waiting.play("Pnw", "Pw")
        assert waiting.snapshot()["acting"] == 1
        # One thread: these engines can only act once the slow ones have been stopped.
        quick = house.begin(seats=[ENGINE, PERSON])
        time.sleep(0.3)
        assert quick.snapshot()["seq"] == 0
        resigned.do("resign", seat=1)
        assert waiting.do("undo")["acting"] == 0
        with quick.sit() as chair:
            snapshot = chair.hear()["snapshot"]
            while snapshot["acting"] != 1:
                snapshot = chair.hear_until("update")["snapshot"]
        assert resigned.snapshot()["seq"] == 1
        assert waiting.snapshot()["seq"] == 3


def test_shutting_down_does_not_wait_for_engines(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    with serve(tmp_path, engine_threads=2) as house:
        for _ in range(3):
            house.begin(seats=[SLOW, PERSON])
        time.sleep(0.2)
        began = time.monotonic()
    assert time.monotonic() - began < 5
    assert set(threading.enumerate()) <= before


def test_a_restart_lets_the_engine_go_on_though_nobody_watches(tmp_path: Path) -> None:
    with serve(tmp_path) as house:
        guest = house.begin(seats=[PERSON, SLOW])
        guest.play("Pnw", "Pw")
        assert guest.snapshot()["seq"] == 2
    database = tmp_path / "tavola.db"
    assert rows(database, "SELECT engine_due FROM matches") == [(True,)]
    change(database, "UPDATE seats SET seconds = 0.02 WHERE kind = 'engine'")
    with serve(tmp_path):
        for _ in range(100):
            time.sleep(0.1)
            seats = rows(database, "SELECT seat FROM events ORDER BY seq")
            due = rows(database, "SELECT engine_due FROM matches")
            if seats == [(0,), (0,), (1,), (1,)]:
                break
        assert seats == [(0,), (0,), (1,), (1,)]
        assert due == [(False,)]


def test_a_stopped_thought_has_no_answer() -> None:
    engines = Engines(1)
    try:

        async def work() -> tuple[str | None, str | None]:
            slow = Thought("slow", "auto:seconds=30", tavola.load("potlatch").start())
            thinking = asyncio.create_task(engines.think(slow))
            await asyncio.sleep(0.2)
            slow.stop()
            quick = Thought("quick", "auto:seconds=0.05", tavola.load("potlatch").start())
            return await thinking, await engines.think(quick)

        stopped, answered = asyncio.run(asyncio.wait_for(work(), 5))
    finally:
        engines.close()
    assert stopped is None
    assert answered in tavola.load("potlatch").start().legal_actions


def test_an_engine_that_fails_leaves_the_match_playable(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = house.begin(seats=[PERSON, ENGINE])
    with monkeypatch.context() as broken:

        def fail(*_: object, **__: object) -> None:
            raise RuntimeError("broken engine")

        broken.setattr("tavola.server.tables.engines.Thought.run", fail)
        guest.play("Pnw", "Pw")
        time.sleep(0.2)
        assert guest.snapshot()["acting"] == 1
    # It is asked again when somebody comes to the table.
    with guest.sit() as chair:
        snapshot = chair.hear()["snapshot"]
        while snapshot["acting"] != 0:
            snapshot = chair.hear_until("update")["snapshot"]
    assert snapshot["seq"] == 4
