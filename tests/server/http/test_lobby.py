"""The lobby: what is offered, taken, withdrawn, and by whom nobody waits any more."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tavola.server.http import lobby as lobby_module
from tavola.server.http.lobby import Lobby
from tavola.server.live.engine_pool import Engines
from tavola.server.live.match_registry import Tables
from tavola.server.matches.log import moment
from tavola.server.schema.requests import Link, NewMatch, Person
from tavola.server.schema.responses import ChatLine, PresenceMessage, Snapshot
from tavola.server.snapshots.updates import Update
from tavola.server.storage import database
from tavola.server.storage.database import Store
from tavola.server.storage.downtime import Uptime
from tests.server.accounts.test_seat_tokens import LINK, offer, seated, take
from tests.server.databases import url_of
from tests.server.live_server import PATIENCE, PERSON, Guest, House, refusal_of, serve
from tests.server.players import PASSWORD, member


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    with serve(tmp_path) as running:
        yield running


@contextmanager
def looking(house: House) -> Iterator[ClientConnection]:
    address = house.address.replace("http", "ws", 1)
    with connect(f"{address}/api/lobby/socket", compression=None) as opened:
        yield opened


def hear(socket: ClientConnection) -> list[Any]:
    message = json.loads(socket.recv(timeout=PATIENCE))
    assert message["type"] == "challenges"
    challenges: list[Any] = message["challenges"]
    return challenges


def listed(house: House) -> list[str]:
    return [challenge["match"] for challenge in house.http.get("/api/lobby").json()]


def test_what_is_offered_can_be_joined_without_a_link(house: House) -> None:
    private, _ = offer(house)
    creator, _ = offer(house, seats=[{"kind": "person", "name": "Aki"}, LINK], lobby=True)
    [challenge] = house.http.get("/api/lobby").json()
    assert (challenge["match"], challenge["game"]) == (creator.match, "potlatch")
    assert [seat["name"] for seat in challenge["seats"]] == ["Aki", ""]
    assert challenge["seats"][1]["open"]
    assert seated(take(creator, None, name="Bea")) == 1
    assert listed(house) == []
    assert refusal_of(take(creator, None)) == (409, "seat-taken")
    assert refusal_of(take(private, None)) == (409, "not-offered")


def test_its_link_is_good_too(house: House) -> None:
    creator, [invitation] = offer(house, lobby=True)
    seated(take(creator, invitation))
    assert listed(house) == []


def test_only_a_match_with_a_seat_by_link_can_be_offered(house: House) -> None:
    wanted = {"game": "potlatch", "seats": [PERSON, PERSON], "lobby": True}
    answer = house.http.post("/api/matches", json=wanted)
    assert refusal_of(answer) == (422, "nothing-to-offer")


def test_whoever_looks_is_told_of_every_change(house: House) -> None:
    with looking(house) as socket:
        assert hear(socket) == []
        creator, _ = offer(house, lobby=True)
        assert [one["match"] for one in hear(socket)] == [creator.match]
        second, _ = offer(house, lobby=True)
        assert [one["match"] for one in hear(socket)] == [creator.match, second.match]
        seated(take(creator, None))
        assert [one["match"] for one in hear(socket)] == [second.match]


def test_of_very_many_offers_the_latest_are_listed(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "OFFERS", 2)
    made = [offer(house, lobby=True)[0] for _ in range(3)]
    assert listed(house) == [one.match for one in made[1:]]
    # Those that are taken are none any more.
    seated(take(made[2], None))
    assert listed(house) == [one.match for one in made[:2]]


def test_a_seat_of_several_is_filled_and_the_rest_still_offered(house: House) -> None:
    creator, _ = offer(
        house, game="passtally", seats=[PERSON, LINK, LINK], options={"players": 3}, lobby=True
    )
    assert seated(take(creator, None)) == 1
    assert listed(house) == [creator.match]
    assert seated(take(creator, None)) == 2
    assert listed(house) == []


def test_who_holds_a_seat_may_withdraw_and_the_link_stays_good(house: House) -> None:
    creator, [invitation] = offer(house, lobby=True)
    url = f"/api/lobby/{creator.match}"
    assert refusal_of(house.http.delete(url)) == (401, "unknown-token")
    wrong = house.http.delete(url, headers={"authorization": "Bearer nonsense"})
    assert refusal_of(wrong) == (401, "unknown-token")
    assert listed(house) == [creator.match]
    assert house.http.delete(url, headers=creator.headers).status_code == 204
    assert listed(house) == []
    assert refusal_of(take(creator, None)) == (409, "not-offered")
    seated(take(creator, invitation))


def test_what_a_deleted_account_has_offered_is_gone_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Whoever watches is told, and does not find it out by looking again.
    monkeypatch.setattr(lobby_module, "LOOK_EVERY", 2 * PATIENCE)
    with serve(tmp_path) as house:
        other, _ = offer(house, lobby=True)
        with member(house) as ada, looking(house) as socket:
            made = ada.begin(seats=[PERSON, LINK], lobby=True)
            while len(hear(socket)) < 2:
                pass
            told = {"password": PASSWORD}
            assert ada.http.post("/api/account/delete", json=told).status_code == 204
            assert [challenge["match"] for challenge in hear(socket)] == [other.match]
        gone = Guest(house, made["match"], [])
        assert refusal_of(take(gone, None)) == (409, "not-offered")
        # Who has its link was meant, and may come all the same.
        seated(take(gone, made["invitations"][1]))
    with serve(tmp_path) as house:
        assert listed(house) == [other.match]


def test_a_match_that_was_given_up_is_not_offered(house: House) -> None:
    creator, _ = offer(house, lobby=True)
    creator.do("resign")
    assert listed(house) == []


def test_offers_outlive_the_server(tmp_path: Path) -> None:
    with serve(tmp_path / "a") as house:
        creator, _ = offer(house, lobby=True)
    with serve(tmp_path / "a") as house:
        assert listed(house) == [creator.match]
        seated(take(Guest(house, creator.match, []), None))


def test_nothing_is_said_in_the_lobby(house: House) -> None:
    with looking(house) as socket:
        hear(socket)
        socket.send("hello")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=PATIENCE)
        assert socket.close_code == 4400


class Watcher:
    """Somebody at a table."""

    held = frozenset({0})
    client = "192.0.2.1"
    lag = None

    def tell_presence(self, presence: PresenceMessage) -> None:
        """Looks on."""

    def tell_lines(self, lines: tuple[ChatLine, ...], *, whole: bool) -> None:
        """Looks on."""

    def send_away(self) -> None:
        """Looks on."""

    def tell(self, update: Update) -> None:
        """Looks on."""

    def show(self, snapshot: Snapshot) -> None:
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
    monkeypatch.setattr(database, "now", lambda: moment(watch.now()))
    asyncio.run(come_and_go(tmp_path, watch))


async def come_and_go(tmp_path: Path, watch: Watch) -> None:
    store = Store(url_of(tmp_path / "tavola.db"))
    engines = Engines(1)
    try:
        tables = Tables(store, engines, Uptime(store))
        lobby = Lobby(store, tables, gone=timedelta(minutes=10))
        wanted = NewMatch(game="potlatch", seats=(Person(), Link()), lobby=True)
        match = (await tables.create(wanted)).match
        maker = Watcher()
        table = await tables.open(match)
        await table.watch(maker)
        for _ in range(3):
            watch.minutes(8)
            await lobby.see()
            assert [challenge.match for challenge in await lobby.list()] == [match]
        table.leave(maker)
        watch.minutes(8)
        await lobby.see()
        assert [challenge.match for challenge in await lobby.list()] == [match]
        watch.minutes(3)
        assert await lobby.list() == ()
        # Who comes back offers it again.
        await table.watch(maker)
        await lobby.see()
        assert [challenge.match for challenge in await lobby.list()] == [match]
    finally:
        await engines.close()
        await asyncio.to_thread(store.close)
