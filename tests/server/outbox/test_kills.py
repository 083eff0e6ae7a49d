"""Deliveries outlive kills, and several processes share them."""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest

from tavola.server.outbox import deliveries
from tests.profiles import sized
from tests.server.databases import SERVER, change, rows
from tests.server.live_server import LiveServer, wait_until
from tests.server.outbox.receivers import Received, receiver
from tests.server.outbox.test_deliveries import add, club, play_with, players
from tests.server.server_process import Process

KILLS = sized(1, 4, 50)
SWITCHED_ON = "tests.server.outbox.club"
"""`tavola serve` with private addresses allowed."""


def waiting(database: str) -> set[int]:
    """Return the events whose delivery is not confirmed."""
    return {int(row[0]) for row in rows(database, "SELECT event FROM deliveries")}


def times_delivered(received: list[Received]) -> Counter[int]:
    """Return how often each event has come."""
    return Counter(json.loads(request.body)["id"] for request in received)


@pytest.mark.timeout(1800)
@pytest.mark.long
def test_kills_lose_no_delivery_and_double_none_for_a_person(tmp_path: Path) -> None:
    with receiver() as hook:

        def slow(request: Received) -> int:
            time.sleep(0.02)
            return 200

        hook.answer = slow
        database = tmp_path / "tavola.db"
        expected = 0
        confirmed = Counter[int]()
        for kill in range(KILLS):
            running = Process(database, "--webhooks", module=SWITCHED_ON).ready()
            server = LiveServer(running.server.address, running.database)
            with players(server) as (ada, bob):
                add(bob, "webhook", hook.url)
                for _ in range(3):
                    play_with(ada, bob)
                    expected += 1
            time.sleep(kill % 10 * 0.05)
            running.kill()
            open_ = waiting(running.database)
            came = times_delivered(hook.received)
            confirmed |= Counter({one: came[one] for one in came if one not in open_})
            # The claims of a dead process end at once, instead of after a minute.
            change(running.database, "UPDATE deliveries SET due = '2000-01-01T00:00:00.000+00:00'")
        running = Process(database, "--webhooks", module=SWITCHED_ON).ready()
        wait_until(lambda: not waiting(running.database))
        running.kill()
        events = times_delivered(hook.received)
        assert len(events) == expected
        assert confirmed, "nothing was confirmed before a kill: this test shows nothing"
        # Only a delivery whose confirmation was lost comes again, under its number.
        assert {one: events[one] for one in confirmed} == confirmed
        for request in hook.received:
            assert request.headers["tavola-event"] == str(json.loads(request.body)["id"])


@pytest.mark.skipif(SERVER is None, reason="SQLite has one process")
def test_processes_on_one_database_deliver_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliveries, "POLL_SECONDS", 0.01)
    with receiver() as hook, club(tmp_path) as one, club(tmp_path), club(tmp_path):
        with players(one) as (ada, bob):
            add(bob, "webhook", hook.url)
            for _ in range(20):
                play_with(ada, bob)
        wait_until(lambda: not waiting(one.database))
        events = times_delivered(hook.received)
        assert set(events.values()) == {1}
        assert len(events) == 20
