"""The socket: snapshots, updates, commands, and what ends it."""

from __future__ import annotations

import asyncio
import gc
import json
import threading
from contextlib import ExitStack, suppress
from typing import ClassVar
from unittest.mock import Mock

import pytest
import websockets
from websockets.exceptions import ConnectionClosed, InvalidStatus

from tavola.server.http.match_socket import SocketViewer
from tavola.server.http.websocket import DirectWebSocket
from tavola.server.http.websocket_protocol import WebSocketProtocol
from tavola.server.matches import decisions, match
from tavola.server.ops import rate_limits
from tavola.server.ops.rate_limits import MAX_PENDING_BYTES, RateLimits
from tavola.server.schema.responses import ChatLine
from tests.server.live_server import (
    HOT_SEAT,
    PATIENCE,
    Json,
    LiveServer,
    Player,
    SocketClient,
    wait_until,
)


def closed_with(chair: SocketClient) -> int:
    """How the server closes the socket, whatever it says before."""
    with suppress(ConnectionClosed):
        while True:
            chair.receive()
    assert chair.socket.close_code is not None
    return chair.socket.close_code


def test_a_viewer_sees_what_happens(server: LiveServer) -> None:
    guest = server.create_match()
    with guest.only(0).connect() as red, guest.spectator().connect() as watcher:
        first = red.receive()
        assert first["type"] == "snapshot"
        assert first["snapshot"] == guest.only(0).snapshot()
        assert watcher.receive()["snapshot"]["view"]["actions"] == []
        red.send(type="command", id="a", seq=0, seat=0, do="play", token="Pnw")
        update = red.receive()
        assert update["type"] == "update"
        assert update["seq"] == 1
        assert update["snapshot"] == guest.only(0).snapshot()
        assert update["snapshot"]["log"][-1]["events"]
        assert red.receive() == {"type": "done", "id": "a", "seq": 1}
        seen = watcher.receive()
        assert seen["snapshot"] == guest.spectator().snapshot()
        red.send(type="command", id="b", seq=1, seat=0, do="undo")
        assert red.receive()["snapshot"]["log"] == []


def test_the_same_command_counts_once_over_the_socket(server: LiveServer) -> None:
    guest = server.create_match()
    command = {"type": "command", "id": "a", "seq": 0, "seat": 0, "do": "play", "token": "Pnw"}
    with guest.connect() as chair:
        chair.send(**command)
        assert chair.receive_until("done")["seq"] == 1
        chair.send(**command)
        assert chair.receive() == {"type": "done", "id": "a", "seq": 1}
    with guest.connect() as chair:
        chair.send(**command)
        assert chair.receive_until("done")["seq"] == 1
    assert guest.snapshot()["seq"] == 1


def test_a_refusal_names_the_command_and_speaks_the_viewers_language(server: LiveServer) -> None:
    guest = server.create_match()
    with guest.connect(language="ja") as chair:
        chair.receive()
        chair.send(type="command", id="a", seq=0, seat=0, do="play", token="Pe")
        refused = chair.receive()
        assert refused["type"] == "refused"
        assert refused["id"] == "a"
        assert refused["error"]["code"] == "illegal"
        assert refused["error"]["refusal"]["clause"] == "7"
        assert not refused["error"]["message"].isascii()
        chair.send(type="command", id="b", seq=7, seat=0, do="play", token="Pw")
        assert chair.receive()["error"]["params"] == {"seq": 0}
    assert guest.snapshot()["seq"] == 0


def test_a_match_with_the_most_events_is_full(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (decisions, match):
        monkeypatch.setattr(module, "MOST_EVENTS", 1)
    guest = server.create_match()
    with guest.connect(language="ja") as chair:
        chair.receive()
        play = {"type": "command", "seq": 0, "seat": 0, "do": "play"}
        chair.send(**play | {"id": "a", "token": "Pnw"})
        assert chair.receive_until("done")["seq"] == 1
        chair.send(**play | {"id": "b", "seq": 1, "token": "Pw"})
        error = chair.receive_until("refused")["error"]
        assert error["code"] == "match-full"
        assert error["params"] == {"most": 1}
        assert error["message"].startswith("この対局の記録が上限の1件")
        chair.send(**play | {"id": "c", "seq": 1, "do": "resign"})
        assert chair.receive_until("update")["snapshot"]["status"] == "over"


def test_another_hello_changes_seats(server: LiveServer) -> None:
    guest = server.create_match()
    with guest.connect() as chair:
        assert chair.receive()["snapshot"]["view"]["actions"]
        chair.send(type="hello", tokens=[])
        assert chair.receive()["snapshot"]["view"]["actions"] == []
        chair.send(type="command", id="a", seq=0, seat=0, do="play", token="Pw")
        assert chair.receive()["error"]["code"] == "not-your-seat"


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
    server: LiveServer, message: str | bytes, code: str
) -> None:
    guest = server.create_match()
    with guest.connect() as chair:
        chair.receive()
        chair.socket.send(message)
        refused = chair.receive()
        assert (refused["type"], refused["id"], refused["error"]["code"]) == ("refused", None, code)
        chair.send(type="ping")
        assert chair.receive() == {"type": "pong"}


def test_what_ends_a_socket(server: LiveServer) -> None:
    guest = server.create_match()
    with Player(server, "none", []).connect() as chair:
        assert chair.receive()["error"]["code"] == "unknown-match"
        assert closed_with(chair) == 4404
    with Player(server, guest.match, ["stranger"]).connect() as chair:
        assert chair.receive()["error"]["code"] == "unknown-token"
        assert closed_with(chair) == 4401
    with guest.open_socket() as opened:
        opened.send('{"type": "ping"}')
        assert closed_with(SocketClient(opened)) == 4400
    with guest.connect() as chair:
        chair.receive()
        chair.socket.send(json.dumps({"type": "hello", "tokens": ["x" * 70_000]}))
        assert closed_with(chair) == 1009


def test_a_silent_socket_is_closed(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavola.server.http.match_socket.HELLO_SECONDS", 0.2)
    with server.create_match().open_socket() as opened:
        assert closed_with(SocketClient(opened)) == 4400


def test_a_flood_is_ended(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rate_limits.MESSAGES.burst >= 200
    # The hello is a message, too.
    monkeypatch.setattr(rate_limits, "MESSAGES", rate_limits.Limit(0.1, 21.0))
    with server.create_match().connect() as chair:
        chair.receive()
        for _ in range(20):
            chair.send(type="ping")
            assert chair.receive() == {"type": "pong"}
        chair.send(type="ping")
        assert chair.receive()["error"]["code"] == "too-fast"
        assert closed_with(chair) == 4429


def test_invalid_messages_and_their_bytes_count(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.create_match()
    monkeypatch.setattr(rate_limits, "MESSAGES", rate_limits.Limit(0.1, 21.0))
    with guest.connect() as chair:
        chair.receive()
        for _ in range(20):
            chair.socket.send("nonsense")
            assert chair.receive()["error"]["code"] == "malformed"
        chair.socket.send("nonsense")
        assert closed_with(chair) == 4429
    monkeypatch.setattr(rate_limits, "MESSAGE_BYTES", rate_limits.Limit(0.1, 10_000.0))
    with guest.connect() as chair:
        chair.receive()
        chair.socket.send("x" * 5000)
        assert chair.receive()["error"]["code"] == "malformed"
        chair.socket.send("x" * 5000)
        assert closed_with(chair) == 4429


def test_all_sockets_of_an_address_share_a_limit(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    guest = server.create_match()
    monkeypatch.setattr(rate_limits, "ALL_MESSAGES", rate_limits.Limit(0.1, 30.0))
    with ExitStack() as stack:
        chairs = [stack.enter_context(guest.connect()) for _ in range(3)]
        for number in range(27):
            chairs[number % 3].send(type="ping")
            chairs[number % 3].receive_until("pong")
        chairs[0].send(type="ping")
        assert closed_with(chairs[0]) == 4429
        elsewhere = Player(server.from_client("198.51.100.9"), guest.match, guest.tokens)
        with elsewhere.connect() as chair:
            chair.receive_until("snapshot")


def test_pages_of_other_origins_get_no_socket(server: LiveServer) -> None:
    guest = server.create_match()
    with pytest.raises(InvalidStatus) as refused, guest.open_socket(origin="https://evil.example"):
        pass
    assert refused.value.response.status_code == 403
    with guest.open_socket(origin=server.address) as opened:
        assert opened.state is websockets.protocol.State.OPEN


def test_too_many_sockets_are_refused(server: LiveServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tavola.server.ops.rate_limits.MAX_VIEWERS_PER_CLIENT", 2)
    guest = server.create_match()
    with guest.connect() as first, guest.connect() as second:
        first.receive(), second.receive()
        with guest.open_socket() as third:
            assert closed_with(SocketClient(third)) == 4429
    # That they have gone the server hears a moment later.
    wait_until(lambda: "\ntavola_sockets 0.0\n" in server.http.get("/metrics").text)
    with guest.connect() as again:
        assert again.receive()["type"] == "snapshot"


def test_reconnecting_from_any_point_gives_the_same_snapshot(server: LiveServer) -> None:
    guest = server.create_match(confirm=True, options={"actions": 3})
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
    with guest.connect() as stayed:
        picture = stayed.receive()["snapshot"]
        for command in commands:
            with guest.connect() as visitor:
                assert visitor.receive()["snapshot"] == picture
            guest.do(**command)
            picture = stayed.receive_until("update")["snapshot"]
            with guest.connect() as visitor:
                assert visitor.receive()["snapshot"] == picture
            with guest.spectator().connect() as spectator:
                assert spectator.receive()["snapshot"] == guest.spectator().snapshot()
    assert picture["status"] == "over"


def test_updates_have_no_gaps_for_those_who_come_in_between(server: LiveServer) -> None:
    """Viewers who arrive while commands are logged: the picture, then every event after it."""
    guest = server.create_match(seats=HOT_SEAT)
    seen: list[list[int]] = []

    def watch() -> None:
        with guest.spectator().connect() as chair:
            numbers = [chair.receive()["snapshot"]["seq"]]
            while numbers[-1] < 40:
                numbers.append(chair.receive_until("update")["seq"])
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


def test_a_closed_socket_leaves_nothing_to_the_collector_of_cycles(server: LiveServer) -> None:
    guest = server.create_match(time={"kind": "main", "seconds": 60})

    kinds = (DirectWebSocket, WebSocketProtocol, SocketViewer)

    def left() -> list[object]:
        # By type: a weak proxy whose object is gone cannot even be asked for its class.
        found = [one for one in gc.get_objects() if type(one) in kinds]
        viewers = [one for one in found if getattr(one, "_match", None) == guest.match]
        scopes = [one for one in found if guest.match in getattr(one, "scope", {}).get("path", "")]
        return viewers + scopes

    gc.disable()
    try:
        with guest.connect() as one, guest.connect(changes=True) as other:
            one.receive()
            other.receive()
            guest.play("Pnw")
            assert len(left()) == 6
        with Player(server, guest.match, ["unknown"]).connect() as refused:
            assert refused.receive()["error"]["code"] == "unknown-token"
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
        state = Mock(limits=RateLimits())
        viewer = SocketViewer(Deaf(), state, "m")  # type: ignore[arg-type]
        for number in range(MAX_PENDING_BYTES // 1000 + 1):
            viewer.send_chat((ChatLine(number, 0, "x" * 1000, ""),), whole=False)
        await viewer._write_pending()

    asyncio.run(work())
    assert Deaf.said == [1013]
