"""A client that floods the server is stopped, and other clients do not notice."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from tavola.server.errors import RequestError
from tavola.server.ops import rate_limits
from tests.server.live_server import LiveServer, Player, SocketClient, error_of, serve
from tests.server.server_process import process

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="elsewhere a machine has one address to call itself from"
)

FLOODER = "127.0.0.2"
"""Limits apply to each address; all other clients use 127.0.0.1."""

MESSAGES = 4000
MEGABYTES = 48

PLAY: dict[str, Any] = {"type": "command", "seq": 0, "seat": 0, "do": "play"}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    with process(tmp_path_factory.mktemp("flood") / "tavola.db") as running:
        yield running.server


def memory(server: LiveServer) -> float:
    told = server.http.get("/metrics").text
    found = re.search(r"^process_resident_memory_bytes (\S+)$", told, re.MULTILINE)
    assert found is not None
    return float(found[1]) / 2**20


def closed_with(chair: SocketClient) -> int | None:
    with suppress(ConnectionClosed):
        while True:
            chair.receive_any()
    return chair.socket.close_code


@pytest.mark.long
@pytest.mark.parametrize(
    "messages",
    [
        [{"type": "ping"}],
        [{"type": "hello", "tokens": []}],
        [PLAY | {"id": "a", "token": "Pe"}, PLAY | {"id": "b", "seq": 7}],
        [{"type": "say", "seat": 0, "text": "x" * 500}, {"type": "report", "seat": 1, "line": 1}],
        [{"type": "analyse", "ply": 0}, {"type": "echo", "number": 1}, "nonsense"],
    ],
    ids=["pings", "hellos", "commands", "talk", "others"],
)
def test_a_flood_of_messages_ends_with_its_socket(
    alone: LiveServer, messages: list[dict[str, Any]]
) -> None:
    guest = alone.create_match()
    before = memory(alone)
    with guest.connect() as friend, guest.open_socket(source_address=(FLOODER, 0)) as opened:
        friend.receive_until("snapshot")
        flooder = SocketClient(opened)
        flooder.send(type="hello", tokens=guest.tokens)
        with suppress(ConnectionClosed):
            for number in range(MESSAGES):
                opened.send(json.dumps(messages[number % len(messages)]))
        # Too fast, or too much to be told while it does not listen.
        assert closed_with(flooder) in (4429, 1013)
        for seq, token in enumerate(("Pnw", "Pw"), 1):
            guest.play(token)
            while (heard := friend.receive_any())["type"] != "update":
                assert heard["type"] in ("presence", "chat", "echo")
            assert heard["seq"] == seq
    assert memory(alone) - before < MEGABYTES


@pytest.mark.long
def test_a_flood_of_requests_is_one_address_s_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rate_limits, "REQUESTS", rate_limits.Limit(0.001, 30.0))
    monkeypatch.setattr(rate_limits, "MAX_VIEWERS_PER_CLIENT", 3)
    transport = httpx.HTTPTransport(local_address=FLOODER)
    with serve(tmp_path) as server, httpx.Client(transport=transport) as flooder:
        guest = server.create_match()
        answers = [flooder.get(f"{server.address}{guest.url}") for _ in range(40)]
        assert [answer.status_code for answer in answers] == [200] * 30 + [429] * 10
        assert error_of(answers[-1]) == (429, "too-fast")
        assert guest.play("Pnw")["seq"] == 1
    with serve(tmp_path) as server, ExitStack() as stack:
        guest = Player(server, guest.match, guest.tokens)
        chairs = [
            SocketClient(stack.enter_context(guest.open_socket(source_address=(FLOODER, 0))))
            for _ in range(5)
        ]
        for chair in chairs[:3]:
            chair.send(type="hello")
            assert chair.receive_until("snapshot")["snapshot"]["seq"] == 1
        assert [closed_with(chair) for chair in chairs[3:]] == [4429] * 2
        with guest.connect() as friend:
            assert friend.receive_until("snapshot")["snapshot"]["seq"] == 1


def test_a_wide_network_has_limits_too() -> None:
    limit = rate_limits.Limit(0.0, 2.0)
    limits = rate_limits.RateLimits()
    addresses = [rate_limits.client_key(f"2001:db8:1:{number:x}::1") for number in range(40)]
    taken = 0
    for client in addresses:
        with suppress(RequestError):
            for _ in range(3):
                limits.bucket(limit, client).take()
                taken += 1
    assert taken == 2 * rate_limits.NETWORKS
    limits.bucket(limit, rate_limits.client_key("2001:db8:2::1")).take()
    limits.bucket(limit, "198.51.100.7").take()
    for client in addresses[: rate_limits.NETWORKS]:
        for _ in range(rate_limits.MAX_VIEWERS_PER_CLIENT):
            limits.open_socket(client)
    with pytest.raises(RequestError, match="too-many-viewers"):
        limits.open_socket(addresses[-1])
    limits.close_socket(addresses[0])
    limits.open_socket(addresses[-1])
