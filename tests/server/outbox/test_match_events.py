"""The events of a match that absent players hear of: once, in the transaction of the event."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import ClientConnection, connect

from tests.server.databases import change, rows
from tests.server.live_server import (
    HOT_SEAT,
    PATIENCE,
    PERSON,
    Json,
    LiveServer,
    Player,
    error_of,
    serve,
    wait_until,
)
from tests.server.players import AccountPlayer, signed_up_player

LINK = {"kind": "link"}
ENGINE = {"kind": "engine", "level": 1}


def start(server: LiveServer, **wanted: object) -> tuple[Player, Player]:
    """Return the players of a new match of two guests."""
    wanted = {"game": "potlatch", "confirm": False, "seats": [PERSON, LINK]} | wanted
    made = server.http.post("/api/matches", json=wanted).json()
    first = Player(server, made["match"], [made["tokens"][0]])
    second = Player(server, made["match"], [secrets.token_urlsafe(32)])
    taking = {"invitation": made["invitations"][1], "token": second.tokens[0]}
    assert server.http.post(f"{first.url}/seats", json=taking | {"name": "Bob"}).is_success
    return first, second


def unread(player: Player | AccountPlayer) -> list[Json]:
    client = player.server.http if isinstance(player, Player) else player.http
    headers = player.headers if isinstance(player, Player) else {}
    answer = client.get("/api/notifications", headers=headers)
    assert answer.status_code == 200, answer.text
    found: Json = answer.json()
    assert found["unread"] == len(found["notifications"])
    return list(found["notifications"])


def kinds(player: Player | AccountPlayer) -> list[str]:
    return [one["kind"] for one in reversed(unread(player))]


def read(player: Player, ids: list[int] | None = None) -> httpx.Response:
    told = {"ids": ids, "tokens": player.tokens}
    return player.server.http.post("/api/notifications/read", json=told)


def test_a_guest_hears_of_the_taken_seat_and_of_the_turn(server: LiveServer) -> None:
    first, second = start(server)
    (taken,) = unread(first)
    assert taken | {"id": 0, "at": ""} == {
        "id": 0,
        "kind": "challenge",
        "at": "",
        "match": first.match,
        "game": "potlatch",
        "by": "Bob",
        "detail": None,
    }
    assert unread(second) == []
    first.play("Pnw", "Pw")
    assert kinds(second) == ["turn"]
    # It was there, and has seen who took the seat.
    assert unread(first) == []
    assert unread(first.spectator()) == []


def test_your_turn_comes_once_per_absence(server: LiveServer) -> None:
    first, second = start(server)
    first.play("Pnw", "Pw")
    assert kinds(second) == ["turn"]
    (turn,) = unread(second)
    assert read(second, [turn["id"]]).json() == {"unread": 0, "notifications": []}
    # The turn comes again, and the player was not there in between.
    first.do("ask", token="draw", seat=0)
    change(server.database, "UPDATE outbox SET read = NULL WHERE id = :id", id=turn["id"])
    second.play("Pne", "Pe")
    assert unread(second) == []
    assert kinds(first) == ["turn"]
    first.play("Pse", "Pse")
    assert kinds(second) == ["turn"]


def test_a_player_who_is_connected_is_not_notified(server: LiveServer) -> None:
    first, second = start(server)
    with second.connect() as chair:
        chair.receive()
        first.play("Pnw", "Pw")
        assert unread(second) == []
    second.play("Pne", "Pe")
    assert kinds(first) == ["turn"]
    with first.connect() as chair:
        chair.receive()
        wait_until(lambda: unread(first) == [])


def test_what_an_opponent_asks_says_and_ends_is_heard(server: LiveServer) -> None:
    first, second = start(server)
    first.play("Pnw", "Pw")
    read(second)
    with first.connect() as chair:
        chair.receive()
        chair.send(type="say", seat=0, text="Hello")
        chair.receive_until("chat")
        chair.send(type="say", seat=0, text="Are you there?")
        chair.receive_until("chat")
    first.do("ask", token="draw", seat=0)
    assert kinds(second) == ["chat", "request"]
    assert unread(second)[0]["detail"] == "draw"
    first.do("resign", seat=0)
    assert kinds(second) == ["chat", "request", "over"]
    assert unread(first) == []
    assert read(second).json() == {"unread": 0, "notifications": []}
    assert unread(second) == []


def test_a_rematch_is_heard_of_in_the_new_match(server: LiveServer) -> None:
    first, second = start(server)
    first.do("resign", seat=0)
    first.do("ask", token="rematch", seat=0)
    second.do("accept", seat=1)
    (told,) = (one for one in unread(first) if one["detail"] == "rematch")
    assert told["kind"] == "challenge"
    assert told["match"] != first.match


def test_a_player_alone_or_against_engines_hears_nothing(server: LiveServer) -> None:
    alone = server.create_match(seats=[PERSON, ENGINE])
    alone.play("Pnw", "Pw")
    wait_until(lambda: alone.snapshot()["acting"] == 0)
    assert unread(alone) == []
    with signed_up_player(server) as ada:
        match = ada.begin(seats=HOT_SEAT)["match"]
        for token in ("Pnw", "Pw", "Pne", "Pe"):
            ada.do(match, "play", token)
        assert unread(ada) == []


def test_an_account_hears_on_every_device_and_the_token_no_more(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        made = ada.begin(seats=[PERSON, LINK])
        token = secrets.token_urlsafe(32)
        told = {"invitation": made["invitations"][1], "token": token}
        bob.http.post(f"/api/matches/{made['match']}/seats", json=told)
        for action in ("Pnw", "Pw"):
            ada.do(made["match"], "play", action)
        (turn,) = unread(bob)
        assert (turn["kind"], turn["game"]) == ("turn", "potlatch")
        assert unread(Player(server, made["match"], [token])) == []
        assert bob.http.get("/api/account/export").json()["notifications"] == [
            {
                "kind": "turn",
                "match": made["match"],
                "seat": None,
                "detail": None,
                "at": turn["at"],
                "read": None,
            }
        ]


def choose(player: AccountPlayer, kinds: list[str]) -> None:
    url = "/api/account/destinations/bell"
    assert player.http.post(url, json={"kinds": kinds}).status_code == 204


def test_an_account_chooses_what_its_bell_shows(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        bell = bob.http.get("/api/account/destinations").json()["destinations"][0]
        assert (bell["id"], bell["channel"]) == ("bell", "bell")
        assert {"turn", "chat"} <= set(bell["kinds"])
        choose(bob, ["chat"])
        choose(bob, ["over"])
        (bell,) = bob.http.get("/api/account/destinations").json()["destinations"]
        assert bell["kinds"] == ["over"]
        assert bob.http.get("/api/account/export").json()["destinations"][0]["kinds"] == ["over"]
        made = ada.begin(seats=[PERSON, LINK])
        told = {"invitation": made["invitations"][1], "token": secrets.token_urlsafe(32)}
        bob.http.post(f"/api/matches/{made['match']}/seats", json=told)
        for action in ("Pnw", "Pw"):
            ada.do(made["match"], "play", action)
        assert kinds(bob) == []
        ada.do(made["match"], "resign")
        assert kinds(bob) == ["over"]
        # All that the bell shows is read; the rest is still there for other channels.
        assert bob.http.post("/api/notifications/read", json={"ids": None}).is_success
        choose(bob, ["turn", "over"])
        assert kinds(bob) == ["turn"]
        # The bell of another account is as before.
        assert kinds(ada) == []
        assert (
            "turn" in ada.http.get("/api/account/destinations").json()["destinations"][0]["kinds"]
        )


def test_an_open_page_follows_the_choice_for_the_bell(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bob:
        made = ada.begin(seats=[PERSON, LINK])
        told = {"invitation": made["invitations"][1], "token": secrets.token_urlsafe(32)}
        bob.http.post(f"/api/matches/{made['match']}/seats", json=told)
        for action in ("Pnw", "Pw"):
            ada.do(made["match"], "play", action)
        cookie = "; ".join(f"{name}={value}" for name, value in bob.http.cookies.items())
        address = f"{server.address.replace('http', 'ws', 1)}/api/notifications/socket"
        with connect(address, compression=None, additional_headers={"cookie": cookie}) as page:
            page.send("{}")
            assert json.loads(page.recv(PATIENCE))["unread"] == 1
            choose(bob, [])
            assert json.loads(page.recv(PATIENCE))["unread"] == 0


def test_nobody_reads_or_marks_what_is_anothers(server: LiveServer) -> None:
    first, second = start(server)
    first.play("Pnw", "Pw")
    (turn,) = unread(second)
    read(first, [turn["id"]])
    assert kinds(second) == ["turn"]
    bad = server.http.post("/api/notifications/read", json={"ids": ["x"]})
    assert error_of(bad) == (422, "invalid")


def test_time_that_runs_out_is_heard_of_when_it_is_due(server: LiveServer) -> None:
    first, second = start(server, time={"kind": "days", "days": 2})
    first.play("Pnw", "Pw")
    second.play("Pne", "Pe")
    first.play("Pse", "Pse")
    warnings = "SELECT due FROM outbox WHERE match = :match AND kind = 'time'"
    found = rows(server.database, warnings, match=first.match)
    assert len(found) == 1
    left = datetime.fromisoformat(found[0][0]) - datetime.now(UTC)
    assert timedelta(hours=35.9) < left < timedelta(hours=36)
    assert kinds(second) == ["turn"]
    early = (datetime.now(UTC) - timedelta(seconds=1)).isoformat(timespec="milliseconds")
    due = "UPDATE outbox SET due = :at WHERE match = :match AND kind = 'time'"
    change(server.database, due, at=early, match=first.match)
    assert sorted(kinds(second)) == ["time", "turn"]
    # When the match is over no warning is left.
    second.do("resign", seat=1)
    assert unread(second) == []
    later = "SELECT id FROM outbox WHERE match = :match AND kind = 'time' AND read IS NULL"
    assert rows(server.database, later, match=first.match) == []


@contextmanager
def listen(server: LiveServer, tokens: list[str]) -> Iterator[ClientConnection]:
    address = server.address.replace("http", "ws", 1)
    with connect(f"{address}/api/notifications/socket", compression=None) as opened:
        opened.send(json.dumps({"tokens": tokens}))
        yield opened


def test_an_open_page_is_told_at_once_and_when_another_page_reads(server: LiveServer) -> None:
    first, second = start(server)
    with listen(server, second.tokens) as page:
        assert json.loads(page.recv(PATIENCE)) == {"unread": 0, "notifications": []}
        first.play("Pnw", "Pw")
        told = json.loads(page.recv(PATIENCE))
        assert [one["kind"] for one in told["notifications"]] == ["turn"]
        read(second)
        assert json.loads(page.recv(PATIENCE))["unread"] == 0


@pytest.mark.parametrize(("said", "code"), [("{", 4400), ('{"tokens": 1}', 4422)])
def test_a_page_that_says_something_else_is_rejected(
    server: LiveServer, said: str, code: int
) -> None:
    address = server.address.replace("http", "ws", 1)
    with connect(f"{address}/api/notifications/socket", compression=None) as opened:
        opened.send(said)
        with pytest.raises(Exception, match=str(code)):
            opened.recv(PATIENCE)


def test_events_outlive_the_server(tmp_path: Path) -> None:
    with serve(tmp_path) as server:
        first, second = start(server)
        first.play("Pnw", "Pw")
    with serve(tmp_path) as again:
        assert kinds(Player(again, second.match, second.tokens)) == ["turn"]
