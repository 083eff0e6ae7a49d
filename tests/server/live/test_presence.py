"""Presence: apart from the match and never in its views; many changes are few messages."""

from __future__ import annotations

import asyncio
import time
from unittest.mock import Mock

import pytest

from tavola.server.http import latency
from tavola.server.snapshots import presence as presence_module
from tavola.server.snapshots.presence import Presence
from tests.server.live_server import Json, LiveServer, SocketClient


def test_many_changes_are_sent_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence_module, "UPDATE_SECONDS", 0.05)

    async def work() -> None:
        presence = Presence(())
        presence.persons = frozenset({0, 1})
        watcher, player = (
            Mock(held=frozenset(held), lag=None, is_silent=False) for held in ((), (0,))
        )
        presence.viewers.add(watcher)
        for _ in range(100):
            presence.viewers.add(player)
            presence.broadcast(player)
            presence.viewers.discard(player)
            presence.broadcast()
        assert watcher.send_presence.call_count == 1
        # A viewer who comes learns it at once.
        assert player.send_presence.call_count == 100
        await asyncio.sleep(0.2)
        assert watcher.send_presence.call_count == 2
        (latest,) = watcher.send_presence.call_args.args
        assert [seat.state for seat in latest.seats] == ["reconnecting", "away"]

    asyncio.run(work())


def states(message: Json) -> list[str]:
    return [seat["state"] for seat in message["seats"]]


def presence_when(chair: SocketClient, wanted: list[str]) -> Json:
    while states(message := chair.receive_until("presence")) != wanted:
        pass
    return message


def test_presence_changes_are_sent(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence_module, "RECONNECT_SECONDS", 0.3)
    monkeypatch.setattr(presence_module, "UPDATE_SECONDS", 0.05)
    both = server.create_match()
    with both.only(0).connect() as red:
        assert presence_when(red, ["online", "away"])["watching"] == 0
        with both.only(1).connect() as blue:
            presence_when(blue, ["online", "online"])
            presence_when(red, ["online", "online"])
            with both.spectator().connect():
                while blue.receive_until("presence")["watching"] != 1:
                    pass
        presence_when(red, ["online", "reconnecting"])
        presence_when(red, ["online", "away"])


def test_the_server_measures_the_network_where_there_is_a_clock(server: LiveServer) -> None:
    timed = server.create_match(time={"kind": "main", "seconds": 60})
    began = time.monotonic()
    with timed.only(0).connect() as red:
        asked = red.receive_until("echo")
        assert red.receive_until("presence")["seats"][0]["lag"] is None
        red.send(**asked)
        lag = red.receive_until("presence")["seats"][0]["lag"]
        assert 0 <= lag <= 1000 * (time.monotonic() - began)
        red.send(type="echo", number=12345)
        assert red.receive_until("refused")["error"]["code"] == "unknown-echo"


def test_without_a_clock_the_network_is_not_shown(server: LiveServer) -> None:
    both = server.create_match()
    with both.only(0).connect() as red:
        red.send(**red.receive_until("echo"))
        with both.only(1).connect():
            assert presence_when(red, ["online", "online"])["seats"][0]["lag"] is None


def test_a_spectator_is_not_asked(server: LiveServer) -> None:
    with server.create_match().spectator().connect() as watcher:
        watcher.send(type="ping")
        while (message := watcher.receive_any())["type"] != "pong":
            assert message["type"] != "echo"


def test_who_stops_to_answer_counts_as_lost_until_the_next_answer(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(latency, "SILENCE_SECONDS", 0.3)
    monkeypatch.setattr(presence_module, "UPDATE_SECONDS", 0.01)
    both = server.create_match()
    with both.only(0).connect() as red, both.only(1).connect() as blue:
        # It has never answered, as some programs: this says nothing.
        presence_when(red, ["online", "online"])
        time.sleep(0.6)
        blue.send(**blue.receive_until("echo"))
        asked = blue.receive_until("echo")
        presence_when(red, ["online", "reconnecting"])
        blue.send(**asked)
        presence_when(red, ["online", "online"])
