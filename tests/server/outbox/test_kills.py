"""Deliveries outlive kills, and several processes share them."""

from __future__ import annotations

import json
import re
import socket
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tavola.server.outbox import deliveries
from tests.profiles import sized
from tests.server.databases import SERVER, change, rows
from tests.server.live_server import LiveServer, wait_until
from tests.server.outbox.receivers import Received, receiver
from tests.server.outbox.smtp_sink import smtp_sink, text_of
from tests.server.outbox.test_deliveries import ORIGIN, add, club, play_with, players
from tests.server.outbox.test_email import confirm
from tests.server.players import AccountPlayer
from tests.server.server_process import Process

KILLS = sized(1, 4, 50)
SWITCHED_ON = "tests.server.outbox.club"
"""`tavola serve` with private addresses allowed."""


def waiting(database: str) -> set[int]:
    """Return the events whose delivery is not confirmed."""
    return {int(row[0]) for row in rows(database, "SELECT event FROM deliveries")}


def has_confirmed(database: str) -> bool:
    """Return whether one of three deliveries is confirmed."""
    return len(waiting(database)) < 3


def times_delivered(received: list[Received]) -> Counter[int]:
    """Return how often each event has come."""
    return Counter(json.loads(request.body)["id"] for request in received)


def open_matches(database: str) -> set[str]:
    """Return the matches of the events whose delivery is not confirmed."""
    query = "SELECT outbox.match FROM deliveries JOIN outbox ON outbox.id = deliveries.event"
    return {str(row[0]) for row in rows(database, query)}


def kill_often(
    database: Path,
    arguments: list[str],
    subscribe: Callable[[AccountPlayer, int], object],
    delivered: Callable[[], Counter[str]],
) -> None:
    """Kill servers while they deliver, and check what has come at the end.

    Args:
        database: The database of all servers.
        arguments: Those that switch a channel on.
        subscribe: Adds a destination of the channel to a player, in a round.
        delivered: Returns how often the event of each match has come.
    """
    expected = set[str]()
    confirmed = Counter[str]()
    for kill in range(KILLS):
        running = Process(database, *arguments, module=SWITCHED_ON).ready()
        server = LiveServer(running.server.address, running.database)
        with players(server) as (ada, bob):
            subscribe(bob, kill)
            expected |= {play_with(ada, bob) for _ in range(3)}
        if kill == 0:
            wait_until(partial(has_confirmed, running.database))
        time.sleep(kill % 10 * 0.05)
        running.kill()
        open_, came = open_matches(running.database), delivered()
        confirmed |= Counter({one: came[one] for one in came if one not in open_})
        # The claims of a dead process end at once, instead of after a minute.
        change(running.database, "UPDATE deliveries SET due = '2000-01-01T00:00:00.000+00:00'")
    running = Process(database, *arguments, module=SWITCHED_ON).ready()
    wait_until(lambda: not waiting(running.database))
    running.kill()
    assert set(delivered()) == expected
    assert confirmed, "nothing was confirmed before a kill: this test shows nothing"
    # Only a delivery whose confirmation was lost comes again.
    assert {one: delivered()[one] for one in confirmed} == confirmed


def test_a_request_whose_sender_dies_is_not_received() -> None:
    with receiver() as hook:
        address = urlsplit(hook.url)
        assert address.hostname
        assert address.port
        with socket.create_connection((address.hostname, address.port)) as sender:
            sender.sendall(b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n{")
            sender.shutdown(socket.SHUT_WR)
            assert sender.recv(1) == b""
        assert hook.received == []


@pytest.mark.timeout(1800)
@pytest.mark.long
def test_kills_lose_no_delivery_and_double_none_for_a_person(tmp_path: Path) -> None:
    def delivered() -> Counter[str]:
        urls = (json.loads(request.body)["url"] for request in hook.received)
        return Counter(url.rpartition("/")[2] for url in urls)

    def slow(request: Received) -> int:
        time.sleep(0.02)
        return 200

    with receiver() as hook:
        hook.answer = slow
        kill_often(
            tmp_path / "tavola.db",
            ["--webhooks"],
            lambda bob, _: add(bob, "webhook", hook.url),
            delivered,
        )
        for request in hook.received:
            assert request.headers["tavola-event"] == str(json.loads(request.body)["id"])


@pytest.mark.timeout(1800)
@pytest.mark.long
def test_kills_lose_no_mail_and_double_none_for_a_person(tmp_path: Path) -> None:
    def delivered() -> Counter[str]:
        return Counter(
            match
            for mail in tuple(sink.received)
            for match in re.findall(rf"{ORIGIN}/match/(\S+)", text_of(mail))
        )

    with smtp_sink() as sink:
        sink.hangs = lambda number: 0.02
        kill_often(
            tmp_path / "tavola.db",
            ["--smtp", sink.url, "--mail-from", "club@example.org", "--origin", ORIGIN],
            lambda bob, kill: confirm(bob, sink, f"bob{kill}@example.org", kinds=["turn"]),
            delivered,
        )
        for mail in sink.received:
            assert mail["Message-ID"], "a mail server drops what comes twice under one number"


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
