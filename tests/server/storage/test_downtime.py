"""Stopped processes and jumping clocks cost no player time."""

from __future__ import annotations

import asyncio
import signal
import time
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import pytest

from tavola.server.ops import running_time
from tavola.server.storage import downtime
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import Downtime
from tests.server.databases import url_of
from tests.server.matches.test_time_control import OPENING, main
from tests.server.server_process import Process


class Wall:
    """A wall clock that can be set."""

    def __init__(self) -> None:
        self.offset = timedelta()

    def now(self, zone: tzinfo) -> datetime:
        return datetime.now(zone) + self.offset

    fromisoformat = staticmethod(datetime.fromisoformat)


@pytest.mark.parametrize("jump", [timedelta(days=5), -timedelta(days=5)], ids=["forward", "back"])
def test_a_jump_of_the_wall_clock_is_downtime(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, jump: timedelta
) -> None:
    wall = Wall()
    monkeypatch.setattr(downtime, "datetime", wall)
    monkeypatch.setattr(downtime, "GRACE_SECONDS", 0.0)
    store = Database(url_of(tmp_path / "tavola.db"))

    async def work() -> None:
        first = Downtime(store)
        await first.start()
        event = wall.now(UTC).isoformat()
        wall.offset = jump
        assert first.uptime_since(event) < 60
        await first.heartbeat()
        await first.heartbeat()
        assert -60 < first.uptime_since(wall.now(UTC).isoformat()) < 60
        # The same for the next process.
        second = Downtime(store)
        await second.start()
        assert second.uptime_since(event) < 60

    try:
        asyncio.run(work())
    finally:
        store.close()


def test_time_without_looks_at_the_clock_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    at = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: at)
    counted = running_time.RunningTime()
    counted._tickers = 1
    began, up = counted.now(), counted.uptime()
    for seconds in (0.02, 14.0, 0.01, 0.3):
        at += seconds
        # It stands still as soon as a look is late, not only when it comes.
        stopped = counted.now()
        counted._look()
        assert counted.now() == pytest.approx(stopped)
    late = running_time.TICK_SECONDS + running_time.TOLERANCE
    # Only the longest of these delays is downtime.
    assert counted.uptime() - up == pytest.approx(0.02 + late + 0.01 + 0.3)
    assert counted.now() - began == pytest.approx(0.02 + late + 0.01 + late)


@pytest.mark.long
def test_a_stopped_process_costs_no_player_the_game(tmp_path: Path) -> None:
    process = Process(tmp_path / "tavola.db").ready()
    try:
        guest = process.server.create_match(time=main(3))
        guest.play(*OPENING)
        process.signal(signal.SIGSTOP)
        time.sleep(4)
        process.signal(signal.SIGCONT)
        snapshot = guest.snapshot()
        assert snapshot["status"] == "playing"
        assert snapshot["clock"]["remaining"][0] > 1
        time.sleep(0.5)
        assert guest.snapshot()["status"] == "playing"
    finally:
        process.kill()
