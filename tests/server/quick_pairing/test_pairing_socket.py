"""Quick pairing over sockets: players wait, leave, and are seated together."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tavola.server.ops import rate_limits
from tavola.server.quick_pairing import queue
from tests.server.databases import rows
from tests.server.live_server import PATIENCE, Json, LiveServer, Player, code_of, serve
from tests.server.players import AccountPlayer, signed_up_player

CLOCK = {"kind": "main", "seconds": 300, "increment": 5}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with serve(tmp_path) as running:
        yield running


class Waiting:
    """A player who looks for opponents."""

    def __init__(self, socket: ClientConnection, token: str) -> None:
        self.socket = socket
        self.token = token

    def hear(self, timeout: float = PATIENCE) -> Json:
        message: Json = json.loads(self.socket.recv(timeout=timeout))
        return message

    def paired(self) -> Json:
        message = self.hear()
        assert message["type"] == "paired", message
        return message


@contextmanager
def looking(
    server: LiveServer, member: AccountPlayer | None = None, *, token: str = "", **wanted: Any
) -> Iterator[Waiting]:
    headers = dict(server.headers)
    if member is not None:
        headers["cookie"] = "; ".join(f"{one.name}={one.value}" for one in member.http.cookies.jar)
    address = server.address.replace("http", "ws", 1)
    token = token or secrets.token_urlsafe(32)
    hello = {"game": "potlatch", "time": CLOCK, "token": token} | wanted
    with connect(
        f"{address}/api/pairing/socket", compression=None, additional_headers=headers
    ) as opened:
        opened.send(json.dumps(hello))
        yield Waiting(opened, token)


@contextmanager
def waiting(*arguments: Any, **more: Any) -> Iterator[Waiting]:
    with looking(*arguments, **more) as player:
        assert player.hear() == {"type": "waiting"}
        yield player


def refusal(player: Waiting) -> str:
    message = player.hear()
    assert message["type"] == "refused"
    return code_of(message["error"])


def test_two_guests_play(server: LiveServer) -> None:
    with waiting(server, name="Ada") as ada, waiting(server, name="Bo") as bo:
        seats = [ada.paired(), bo.paired()]
        assert seats[0]["match"] == seats[1]["match"]
        assert sorted(one["seat"] for one in seats) == [0, 1]
        with pytest.raises(ConnectionClosed) as closed:
            ada.hear()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1000
    by_seat = {one["seat"]: player for one, player in zip(seats, (ada, bo), strict=True)}
    match = Player(server, seats[0]["match"], [by_seat[0].token, by_seat[1].token])
    snapshot = match.snapshot()
    assert all(seat["yours"] for seat in snapshot["seats"])
    assert {seat["name"] for seat in snapshot["seats"]} == {"Ada", "Bo"}
    assert snapshot["clock"]["time"] == CLOCK
    assert not snapshot["rated"]
    match.do("play", token=snapshot["view"]["actions"][0]["token"])
    # It is full, so the lobby does not offer it.
    assert server.http.get("/api/lobby").json() == []


def test_accounts_play_rated_and_with_a_guest_unrated(server: LiveServer) -> None:
    with signed_up_player(server) as ada, signed_up_player(server) as bo:
        with waiting(server, ada) as one, waiting(server, bo) as other:
            match = one.paired()["match"]
            assert other.paired()["match"] == match
        assert ada.snapshot(match)["rated"]
        assert [one["match"] for one in bo.matches()] == [match]
        with waiting(server, ada) as one, waiting(server) as other:
            assert not ada.snapshot(one.paired()["match"])["rated"]


@pytest.mark.long
def test_three_wait_for_a_match_of_three(server: LiveServer) -> None:
    wanted = {"game": "passtally", "options": {"players": 3}}
    with ExitStack() as stack:
        two = [stack.enter_context(waiting(server, **wanted)) for _ in range(2)]
        with pytest.raises(TimeoutError):
            two[0].hear(1.5)
        # One who wants another game, number of players or clock does not count.
        stack.enter_context(waiting(server))
        stack.enter_context(waiting(server, game="passtally"))
        other = {"kind": "main", "seconds": 180, "increment": 2}
        stack.enter_context(waiting(server, **wanted, time=other))
        third = stack.enter_context(waiting(server, **wanted))
        assert len({one.paired()["match"] for one in (*two, third)}) == 1


@pytest.mark.long
def test_a_player_who_leaves_is_not_seated(server: LiveServer) -> None:
    with waiting(server):
        pass
    with waiting(server) as alone, pytest.raises(TimeoutError):
        alone.hear(1.5)
    assert rows(server.database, "SELECT id FROM matches") == []


@pytest.mark.long
def test_ranges_widen_with_the_wait(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "START_RANGE", -400.0)
    monkeypatch.setattr(queue, "WIDENING", 25.0)
    with waiting(server) as one, waiting(server) as other:
        with pytest.raises(TimeoutError):
            one.hear(1.0)
        assert one.paired()["match"] == other.paired()["match"]


def test_a_browser_and_an_account_have_one_place(server: LiveServer) -> None:
    with waiting(server) as before, waiting(server, token=before.token):
        assert refusal(before) == "pairing-elsewhere"
    with signed_up_player(server) as ada, waiting(server, ada) as before, waiting(server, ada):
        assert refusal(before) == "pairing-elsewhere"


def test_an_address_has_few_places(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_PLACES_PER_CLIENT", 1)
    with waiting(server, game="proteus"), looking(server) as second:
        assert refusal(second) == "pairing-limit"


@pytest.mark.long
def test_a_player_who_signs_out_is_not_seated(server: LiveServer) -> None:
    with signed_up_player(server) as ada, waiting(server, ada) as one:
        assert ada.http.post("/api/account/sign-out").status_code < 300
        with waiting(server) as other:
            assert refusal(one) == "signed-out"
            with pytest.raises(TimeoutError):
                other.hear(1.5)


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"game": "chess"}, "unknown-game"),
        ({"options": {"players": 9}}, "unknown-option"),
        ({"time": {**CLOCK, "odds": [60, 300]}}, "rated-odds"),
    ],
)
def test_an_impossible_wish_is_refused(server: LiveServer, wanted: Json, code: str) -> None:
    with looking(server, **wanted) as player:
        assert refusal(player) == code


def test_a_message_that_is_not_a_wish_closes_the_socket(server: LiveServer) -> None:
    with looking(server, token="short") as player, pytest.raises(ConnectionClosed) as closed:
        player.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 4422


def test_bots_do_not_wait(server: LiveServer) -> None:
    with signed_up_player(server) as robot:
        assert robot.http.post("/api/account/bot").is_success
        with looking(server, robot) as player:
            assert code_of(player.hear()["error"]) == "bot-forbidden"
