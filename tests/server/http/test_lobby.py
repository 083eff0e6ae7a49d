"""The lobby: challenges are offered, taken and withdrawn, and expire when their creator leaves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tavola.server.http import lobby as lobby_module
from tavola.server.http.lobby import Lobby
from tavola.server.live.engine_pool import EnginePool
from tavola.server.live.match_registry import MatchRegistry
from tavola.server.matches.log import format_time
from tavola.server.ops import rate_limits
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.schema.requests import LinkSeat, NewMatch, PersonSeat
from tavola.server.schema.responses import ChatLine, PresenceMessage, Snapshot
from tavola.server.snapshots.updates import Update
from tavola.server.storage import database
from tavola.server.storage.database import Database
from tavola.server.storage.downtime import Downtime
from tests.server.accounts.test_seat_tokens import LINK, offer, seated, take
from tests.server.databases import url_of
from tests.server.live_server import PATIENCE, PERSON, LiveServer, Player, error_of, serve
from tests.server.players import PASSWORD, signed_up_player


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with serve(tmp_path) as running:
        yield running


@contextmanager
def looking(server: LiveServer) -> Iterator[ClientConnection]:
    address = server.address.replace("http", "ws", 1)
    with connect(f"{address}/api/lobby/socket", compression=None) as opened:
        yield opened


def hear(socket: ClientConnection) -> list[Any]:
    message = json.loads(socket.recv(timeout=PATIENCE))
    assert message["type"] == "challenges"
    challenges: list[Any] = message["challenges"]
    return challenges


def listed(server: LiveServer) -> list[str]:
    return [challenge["match"] for challenge in server.http.get("/api/lobby").json()]


def test_what_is_offered_can_be_joined_without_a_link(server: LiveServer) -> None:
    private, _ = offer(server)
    creator, _ = offer(server, seats=[{"kind": "person", "name": "Aki"}, LINK], lobby=True)
    [challenge] = server.http.get("/api/lobby").json()
    assert (challenge["match"], challenge["game"]) == (creator.match, "potlatch")
    assert [seat["name"] for seat in challenge["seats"]] == ["Aki", ""]
    assert challenge["seats"][1]["open"]
    assert seated(take(creator, None, name="Bea")) == 1
    assert listed(server) == []
    assert error_of(take(creator, None)) == (409, "seat-taken")
    assert error_of(take(private, None)) == (409, "not-offered")


def test_its_link_is_good_too(server: LiveServer) -> None:
    creator, [invitation] = offer(server, lobby=True)
    seated(take(creator, invitation))
    assert listed(server) == []


def test_only_a_match_with_a_seat_by_link_can_be_offered(server: LiveServer) -> None:
    wanted = {"game": "potlatch", "seats": [PERSON, PERSON], "lobby": True}
    answer = server.http.post("/api/matches", json=wanted)
    assert error_of(answer) == (422, "nothing-to-offer")


def test_a_lobby_viewer_receives_every_change(server: LiveServer) -> None:
    with looking(server) as socket:
        assert hear(socket) == []
        creator, _ = offer(server, lobby=True)
        assert [one["match"] for one in hear(socket)] == [creator.match]
        second, _ = offer(server, lobby=True)
        assert [one["match"] for one in hear(socket)] == [creator.match, second.match]
        seated(take(creator, None))
        assert [one["match"] for one in hear(socket)] == [second.match]


def test_of_very_many_offers_the_latest_are_listed(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "CHALLENGE_LIMIT", 2)
    made = [offer(server, lobby=True)[0] for _ in range(3)]
    assert listed(server) == [one.match for one in made[1:]]
    # Those that are taken are none any more.
    seated(take(made[2], None))
    assert listed(server) == [one.match for one in made[:2]]


def test_a_seat_of_several_is_filled_and_the_rest_still_offered(server: LiveServer) -> None:
    creator, _ = offer(
        server, game="passtally", seats=[PERSON, LINK, LINK], options={"players": 3}, lobby=True
    )
    assert seated(take(creator, None)) == 1
    assert listed(server) == [creator.match]
    assert seated(take(creator, None)) == 2
    assert listed(server) == []


def test_who_holds_a_seat_may_withdraw_and_the_link_stays_good(server: LiveServer) -> None:
    creator, [invitation] = offer(server, lobby=True)
    url = f"/api/lobby/{creator.match}"
    assert error_of(server.http.delete(url)) == (401, "unknown-token")
    wrong = server.http.delete(url, headers={"authorization": "Bearer nonsense"})
    assert error_of(wrong) == (401, "unknown-token")
    assert listed(server) == [creator.match]
    assert server.http.delete(url, headers=creator.headers).status_code == 204
    assert listed(server) == []
    assert error_of(take(creator, None)) == (409, "not-offered")
    seated(take(creator, invitation))


@pytest.mark.long
def test_what_a_deleted_account_has_offered_is_gone_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A watcher receives the change without a poll.
    monkeypatch.setattr(lobby_module, "POLL_SECONDS", 2 * PATIENCE)
    with serve(tmp_path) as server:
        other, _ = offer(server, lobby=True)
        with signed_up_player(server) as ada, looking(server) as socket:
            made = ada.begin(seats=[PERSON, LINK], lobby=True)
            while len(hear(socket)) < 2:
                pass
            told = {"password": PASSWORD}
            assert ada.http.post("/api/account/delete", json=told).status_code == 204
            assert [challenge["match"] for challenge in hear(socket)] == [other.match]
        gone = Player(server, made["match"], [])
        assert error_of(take(gone, None)) == (409, "not-offered")
        # A player with its link was meant, and may come all the same.
        seated(take(gone, made["invitations"][1]))
    with serve(tmp_path) as server:
        assert listed(server) == [other.match]


def test_a_match_that_was_given_up_is_not_offered(server: LiveServer) -> None:
    creator, _ = offer(server, lobby=True)
    creator.do("resign")
    assert listed(server) == []


@pytest.mark.long
def test_offers_outlive_the_server(tmp_path: Path) -> None:
    with serve(tmp_path / "a") as server:
        creator, _ = offer(server, lobby=True)
    with serve(tmp_path / "a") as server:
        assert listed(server) == [creator.match]
        seated(take(Player(server, creator.match, []), None))


def test_the_lobby_accepts_no_messages(server: LiveServer) -> None:
    with looking(server) as socket:
        hear(socket)
        socket.send("hello")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
        assert socket.close_code == 4400


class Watcher:
    """A viewer of a match."""

    held = frozenset({0})
    client = "192.0.2.1"
    account: str | None = None
    lag = None
    is_silent = False

    def send_presence(self, presence: PresenceMessage) -> None:
        """Looks on."""

    def send_chat(self, lines: tuple[ChatLine, ...], *, whole: bool) -> None:
        """Looks on."""

    def update_blocks(self, blocked: frozenset[str], lines: tuple[ChatLine, ...]) -> None:
        """Looks on."""

    def disconnect(self) -> None:
        """Looks on."""

    def send_update(self, update: Update) -> None:
        """Looks on."""

    def send_snapshot(self, snapshot: Snapshot) -> None:
        """Looks on."""


class Watch:
    """Shows the time, and a later one after `minutes` that only seem to pass."""

    def __init__(self) -> None:
        self.passed = timedelta()

    def minutes(self, number: int) -> None:
        self.passed += timedelta(minutes=number)

    def now(self, zone: tzinfo | None = UTC) -> datetime:
        return datetime.now(zone) + self.passed


def test_an_offer_stands_while_its_maker_is_there_or_not_gone_for_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch = Watch()
    monkeypatch.setattr(lobby_module, "datetime", watch)
    monkeypatch.setattr(database, "now", lambda: format_time(watch.now()))
    asyncio.run(come_and_go(tmp_path, watch))


async def come_and_go(tmp_path: Path, watch: Watch) -> None:
    store = Database(url_of(tmp_path / "tavola.db"))
    engines = EnginePool(1)
    try:
        tables = MatchRegistry(store, engines, Downtime(store), WorkQueue(1, RateLimits()))
        lobby = Lobby(store, tables, offer_timeout=timedelta(minutes=10))
        wanted = NewMatch(game="potlatch", seats=(PersonSeat(), LinkSeat()), lobby=True)
        match = (await tables.create(wanted)).match
        maker = Watcher()
        table = await tables.open(match)
        await table.subscribe(maker)
        for _ in range(3):
            watch.minutes(8)
            await lobby.touch_offers()
            assert [challenge.match for challenge in await lobby.challenges()] == [match]
        table.unsubscribe(maker)
        watch.minutes(8)
        await lobby.touch_offers()
        assert [challenge.match for challenge in await lobby.challenges()] == [match]
        watch.minutes(3)
        assert await lobby.challenges() == ()
        # A player who comes back offers it again.
        await table.subscribe(maker)
        await lobby.touch_offers()
        assert [challenge.match for challenge in await lobby.challenges()] == [match]
    finally:
        await engines.close()
        await asyncio.to_thread(store.close)


def test_an_address_has_few_open_challenges(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "MAX_OFFERS", 2)
    monkeypatch.setattr(rate_limits, "MATCHES", replace(rate_limits.MATCHES, burst=5.0))
    with serve(tmp_path) as server:
        offers = [offer(server, lobby=True)[0] for _ in range(2)]
        wanted = {"game": "potlatch", "seats": [PERSON, LINK], "lobby": True}
        assert error_of(server.http.post("/api/matches", json=wanted)) == (429, "too-many-offers")
        other = server.from_client("198.51.100.7")
        offers.append(offer(other, lobby=True)[0])
        assert listed(server) == [one.match for one in offers]
        # Private games do not count, and a withdrawn challenge no longer does.
        offer(server)
        server.http.delete(f"/api/lobby/{offers[0].match}", headers=offers[0].headers)
        offer(server, lobby=True)
        offer(server)
        # A day's games.
        del wanted["lobby"]
        assert error_of(server.http.post("/api/matches", json=wanted)) == (429, "match-limit")
        offer(other)
