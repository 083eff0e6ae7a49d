"""The socket: snapshots, updates, commands, and what ends it."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from contextlib import suppress
from typing import ClassVar

import pytest
import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tavola.server.http.match_socket import WAITING, SocketViewer
from tavola.server.http.websocket import PlainSocket
from tavola.server.http.websocket_protocol import Frames
from tavola.server.ops import rate_limits
from tavola.server.schema.responses import ChatLine
from tests.server.live_server import HOT_SEAT, PATIENCE, Chair, Guest, House, Json, wait_until


def closed_with(chair: Chair) -> int:
    """How the server closes the socket, whatever it says before."""
    with suppress(ConnectionClosed):
        while True:
            chair.hear()
    assert chair.socket.close_code is not None
    return chair.socket.close_code


def test_a_viewer_sees_what_happens(house: House) -> None:
    guest = house.begin()
    with guest.only(0).sit() as red, guest.spectator().sit() as watcher:
        first = red.hear()
        assert first["type"] == "snapshot"
        assert first["snapshot"] == guest.only(0).snapshot()
        assert watcher.hear()["snapshot"]["view"]["actions"] == []
        red.send(type="command", id="a", seq=0, seat=0, do="play", token="Pnw")
        update = red.hear()
        assert update["type"] == "update"
        assert update["seq"] == 1
        assert update["snapshot"] == guest.only(0).snapshot()
        assert update["snapshot"]["log"][-1]["events"]
        assert red.hear() == {"type": "done", "id": "a", "seq": 1}
        seen = watcher.hear()
        assert seen["snapshot"] == guest.spectator().snapshot()
        red.send(type="command", id="b", seq=1, seat=0, do="undo")
        assert red.hear()["snapshot"]["log"] == []


def test_the_same_command_counts_once_over_the_socket(house: House) -> None:
    guest = house.begin()
    command = {"type": "command", "id": "a", "seq": 0, "seat": 0, "do": "play", "token": "Pnw"}
    with guest.sit() as chair:
        chair.send(**command)
        assert chair.hear_until("done")["seq"] == 1
        chair.send(**command)
        assert chair.hear() == {"type": "done", "id": "a", "seq": 1}
    with guest.sit() as chair:
        chair.send(**command)
        assert chair.hear_until("done")["seq"] == 1
    assert guest.snapshot()["seq"] == 1


def test_a_refusal_names_the_command_and_speaks_the_viewers_language(house: House) -> None:
    guest = house.begin()
    with guest.sit(language="ja") as chair:
        chair.hear()
        chair.send(type="command", id="a", seq=0, seat=0, do="play", token="Pe")
        refused = chair.hear()
        assert refused["type"] == "refused"
        assert refused["id"] == "a"
        assert refused["error"]["code"] == "illegal"
        assert refused["error"]["refusal"]["clause"] == "7"
        assert not refused["error"]["message"].isascii()
        chair.send(type="command", id="b", seq=7, seat=0, do="play", token="Pw")
        assert chair.hear()["error"]["params"] == {"seq": 0}
    assert guest.snapshot()["seq"] == 0


def test_another_hello_changes_seats(house: House) -> None:
    guest = house.begin()
    with guest.sit() as chair:
        assert chair.hear()["snapshot"]["view"]["actions"]
        chair.send(type="hello", tokens=[])
        assert chair.hear()["snapshot"]["view"]["actions"] == []
        chair.send(type="command", id="a", seq=0, seat=0, do="play", token="Pw")
        assert chair.hear()["error"]["code"] == "not-your-seat"


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ("", "malformed"),
        ("{", "malformed"),
        ("[]", "invalid"),
        ('{"type": "dance"}', "invalid"),
        ('{"type": "ping", "more": 1}', "invalid"),
        ('{"type": "command", "id": "a"}', "invalid"),
        (b"binary", "malformed"),
    ],
)
def test_nonsense_is_refused_and_the_socket_stays_open(
    house: House, message: str | bytes, code: str
) -> None:
    guest = house.begin()
    with guest.sit() as chair:
        chair.hear()
        chair.socket.send(message)
        refused = chair.hear()
        assert (refused["type"], refused["id"], refused["error"]["code"]) == ("refused", None, code)
        chair.send(type="ping")
        assert chair.hear() == {"type": "pong"}


def test_what_ends_a_socket(house: House) -> None:
    guest = house.begin()
    with Guest(house, "none", []).sit() as chair:
        assert chair.hear()["error"]["code"] == "unknown-match"
        assert closed_with(chair) == 4404
    with Guest(house, guest.match, ["stranger"]).sit() as chair:
        assert chair.hear()["error"]["code"] == "unknown-token"
        assert closed_with(chair) == 4401
    with guest.house_socket() as opened:
        opened.send('{"type": "ping"}')
        assert closed_with(Chair(opened)) == 4400
    with guest.sit() as chair:
        chair.hear()
        chair.socket.send(json.dumps({"type": "hello", "tokens": ["x" * 70_000]}))
        assert closed_with(chair) == 1009


def test_who_says_nothing_is_sent_away(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavola.server.http.match_socket.HELLO_SECONDS", 0.2)
    with house.begin().house_socket() as opened:
        assert closed_with(Chair(opened)) == 4400


def test_a_flood_is_ended(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rate_limits.MESSAGES_AT_ONCE >= 200
    monkeypatch.setattr("tavola.server.http.match_socket.MESSAGES_AT_ONCE", 20.0)
    monkeypatch.setattr("tavola.server.http.match_socket.MESSAGE_RATE", 0.1)
    with house.begin().sit() as chair:
        chair.hear()
        for _ in range(20):
            chair.send(type="ping")
            assert chair.hear() == {"type": "pong"}
        chair.send(type="ping")
        assert chair.hear()["error"]["code"] == "too-fast"
        assert closed_with(chair) == 4429


def test_pages_of_other_origins_get_no_socket(house: House) -> None:
    guest = house.begin()
    with pytest.raises(InvalidStatus) as refused, guest.house_socket(origin="https://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with guest.house_socket(origin=house.address) as opened:
        assert opened.state is websockets.protocol.State.OPEN


def test_too_many_sockets_are_refused(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavola.server.ops.rate_limits.VIEWERS_PER_CLIENT", 2)
    guest = house.begin()
    with guest.sit() as first, guest.sit() as second:
        first.hear(), second.hear()
        with guest.house_socket() as third:
            assert closed_with(Chair(third)) == 4429
    # That they have gone the server hears a moment later.
    wait_until(lambda: "\ntavola_sockets 0.0\n" in house.http.get("/metrics").text)
    with guest.sit() as again:
        assert again.hear()["type"] == "snapshot"


def test_reconnecting_from_any_point_gives_the_same_picture(house: House) -> None:
    guest = house.begin(confirm=True, options={"actions": 3})
    commands: list[Json] = [
        {"do": "play", "token": "Pnw"},
        {"do": "play", "token": "Pw"},
        {"do": "undo"},
        {"do": "play", "token": "Pne"},
        {"do": "play", "token": "Pse"},
        {"do": "undo", "token": "turn"},
        {"do": "play", "token": "Pw"},
        {"do": "play", "token": "Pw"},
        {"do": "play", "token": "Cne"},
        {"do": "confirm"},
        {"do": "resign"},
    ]
    with guest.sit() as stayed:
        picture = stayed.hear()["snapshot"]
        for command in commands:
            with guest.sit() as visitor:
                assert visitor.hear()["snapshot"] == picture
            guest.do(**command)
            picture = stayed.hear_until("update")["snapshot"]
            with guest.sit() as visitor:
                assert visitor.hear()["snapshot"] == picture
            with guest.spectator().sit() as spectator:
                assert spectator.hear()["snapshot"] == guest.spectator().snapshot()
    assert picture["status"] == "over"


def test_updates_have_no_gaps_for_those_who_come_in_between(house: House) -> None:
    """Viewers who arrive while commands are logged: the picture, then every event after it."""
    guest = house.begin(seats=HOT_SEAT)
    seen: list[list[int]] = []

    def watch() -> None:
        with guest.spectator().sit() as chair:
            numbers = [chair.hear()["snapshot"]["seq"]]
            while numbers[-1] < 40:
                numbers.append(chair.hear_until("update")["seq"])
            seen.append(numbers)

    viewers = [threading.Thread(target=watch) for _ in range(8)]
    for number in range(40):
        if number % 5 == 0 and viewers:
            viewers[number // 5].start()
        guest.play("Pw") if number % 2 == 0 else guest.do("undo")
    for viewer in viewers:
        viewer.join(PATIENCE)
    assert len(seen) == 8
    for numbers in seen:
        assert numbers == list(range(numbers[0], 41))


def test_a_closed_socket_leaves_nothing_to_the_collector_of_cycles(house: House) -> None:
    guest = house.begin(time={"kind": "main", "seconds": 60})

    kinds = (PlainSocket, Frames, SocketViewer)

    def left() -> list[object]:
        # By type: a weak proxy whose object is gone cannot even be asked for its class.
        found = [one for one in gc.get_objects() if type(one) in kinds]
        viewers = [one for one in found if getattr(one, "_match", None) == guest.match]
        scopes = [one for one in found if guest.match in getattr(one, "scope", {}).get("path", "")]
        return viewers + scopes

    gc.disable()
    try:
        with guest.sit() as one, guest.sit(changes=True) as other:
            one.hear()
            other.hear()
            guest.play("Pnw")
            assert len(left()) == 6
        with Guest(house, guest.match, ["unknown"]).sit() as refused:
            assert refused.hear()["error"]["code"] == "unknown-token"
        wait_until(lambda: not left(), "something is left")
    finally:
        gc.enable()


def test_a_viewer_who_does_not_listen_is_sent_away() -> None:
    class Deaf:
        headers: ClassVar[dict[str, str]] = {}
        scope: ClassVar[Json] = {}
        client = None
        said: ClassVar[list[object]] = []

        async def send_data(self, data: object, **_: object) -> None:
            self.said.append(data)

        async def close(self, code: int) -> None:
            self.said.append(code)

    async def work() -> None:
        viewer = SocketViewer(Deaf(), None, None, None, "m")  # type: ignore[arg-type]
        for number in range(WAITING + 1):
            viewer.tell_lines((ChatLine(number, 0, "hello", ""),), whole=False)
        assert viewer._writer is not None
        await viewer._writer

    asyncio.run(work())
    assert Deaf.said == [1013]
