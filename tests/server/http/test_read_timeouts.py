"""Requests that come slowly or never, over bare sockets."""

from __future__ import annotations

import json
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

import pytest

from tavola.server.http import read_timeouts, security_middleware
from tests.server import live_server as ours
from tests.server.live_server import HOT_SEAT, LiveServer, serve

ALLOWED = 0.5
"""Seconds: what a request may take here."""

PATIENCE = 5.0


@pytest.fixture(autouse=True)
def _shortly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_timeouts, "REQUEST_READ_SECONDS", ALLOWED)


@contextmanager
def line(server: LiveServer) -> Iterator[socket.socket]:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as connected:
        yield connected


def drip(connected: socket.socket, text: str) -> tuple[str, float]:
    """Send a byte at a time until the server answers; return the answer and its time."""
    began = time.monotonic()
    connected.settimeout(0.05)
    for byte in text.encode():
        with suppress(OSError):
            connected.send(bytes([byte]))
        with suppress(TimeoutError):
            return heard(connected, connected.recv(4096)), time.monotonic() - began
        assert time.monotonic() < began + PATIENCE, "the server does not answer"
    pytest.fail("all of it was taken")


def heard(connected: socket.socket, first: bytes = b"") -> str:
    """All that is said until the connection is closed."""
    connected.settimeout(PATIENCE)
    said = first
    with suppress(ConnectionResetError):
        while more := connected.recv(4096):
            said += more
    return said.decode()


def refused(answered: str, language: str = "en") -> None:
    """It is a whole answer in our form."""
    head, _, body = answered.partition("\r\n\r\n")
    status, *fields = head.split("\r\n")
    assert status.split(" ")[1] == "408"
    named = dict(field.lower().split(": ", 1) for field in fields)
    assert named["connection"] == "close"
    assert named["content-language"] == language
    assert set(security_middleware.SECURITY_HEADERS) <= set(named)
    told = json.loads(body)
    assert (told["code"], told["params"]) == ("too-slow", {"seconds": ALLOWED})


HEAD = "GET /api/games HTTP/1.1\r\nHost: localhost\r\n"
POST = "POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
SOCKET = (
    "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
    "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
)


def test_a_head_that_comes_slowly_is_refused(server: LiveServer) -> None:
    with line(server) as slow:
        answered, seconds = drip(slow, HEAD + "X-Slow: " + "x" * 1000)
    refused(answered)
    assert seconds < ALLOWED + 2


def test_an_incomplete_head_is_rejected(server: LiveServer) -> None:
    for half in (HEAD, "GET /api/matches/none/socket HTTP/1.1\r\n" + SOCKET):
        with line(server) as slow:
            slow.sendall(half.encode())
            refused(heard(slow))


@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_body_that_comes_slowly_is_refused(server: LiveServer, language: str) -> None:
    with line(server) as slow:
        head = f"{POST}Accept-Language: {language}\r\nContent-Length: 5000\r\n\r\n"
        slow.sendall(head.encode())
        answered, seconds = drip(slow, "{" + " " * 1000)
    refused(answered, language)
    assert seconds < ALLOWED + 2


def test_a_body_that_does_not_come_is_refused(server: LiveServer) -> None:
    for length in ("Content-Length: 5000", "Transfer-Encoding: chunked"):
        with line(server) as slow:
            slow.sendall(f"{POST}{length}\r\n\r\n".encode())
            refused(heard(slow))


def test_who_goes_on_after_the_answer_is_heard_no_longer(server: LiveServer) -> None:
    with line(server) as slow:
        head = "POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000\r\n\r\n"
        slow.sendall(head.encode())
        assert b" 40" in slow.recv(4096)
        answered, seconds = drip(slow, " " * 1000)
    assert answered == ""
    assert seconds < ALLOWED + 2


@pytest.mark.long
def test_the_next_request_of_a_connection_has_as_long(server: LiveServer) -> None:
    with line(server) as slow:
        for _ in range(2):
            slow.sendall(f"{HEAD}\r\n".encode())
            assert b" 200 " in slow.recv(1 << 20)
            time.sleep(ALLOWED * 1.5)  # To be idle is no fault.
            slow.settimeout(0.2)
            with suppress(TimeoutError):
                while slow.recv(1 << 20):
                    pass
            slow.settimeout(PATIENCE)
        answered, _ = drip(slow, HEAD + "X-Slow: " + "x" * 1000)
    refused(answered)


def test_a_request_in_parts_that_is_whole_in_time_is_answered(server: LiveServer) -> None:
    body = json.dumps({"game": "potlatch", "seats": HOT_SEAT})
    whole = f"{POST}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}"
    third = len(whole) // 3
    with line(server) as some:
        for part in (whole[:third], whole[third : 2 * third], whole[2 * third :]):
            some.sendall(part.encode())
            time.sleep(ALLOWED / 5)
        assert heard(some).startswith("HTTP/1.1 201 ")


def test_sockets_and_streams_last(server: LiveServer) -> None:
    guest = server.create_match(seats=HOT_SEAT)
    with (
        server.http.stream("GET", f"{guest.url}/stream", headers=guest.headers) as stream,
        guest.connect() as chair,
        line(server) as slow,
    ):
        # A handshake in parts is a handshake.
        asked = f"GET {guest.url}/socket HTTP/1.1\r\nHost: localhost\r\n{SOCKET}\r\n"
        for part in (asked[:40], asked[40:]):
            slow.sendall(part.encode())
            time.sleep(0.1)
        assert slow.recv(4096).startswith(b"HTTP/1.1 101 ")
        lines = stream.iter_lines()
        assert json.loads(next(lines))["type"] == "snapshot"
        chair.receive_until("snapshot")
        time.sleep(ALLOWED * 2)
        guest.play("Pnw")
        assert chair.receive_until("update")["seq"] == 1
        assert json.loads(next(filter(None, lines)))["seq"] == 1
        slow.settimeout(0.1)
        with pytest.raises(TimeoutError):
            slow.recv(1)


def test_a_silent_client_is_disconnected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_timeouts, "FIRST_BYTE_SECONDS", 0.5)
    with serve(tmp_path) as server, line(server) as silent:
        assert heard(silent) == ""


@pytest.mark.skipif(sys.platform != "linux", reason="needs a second address of this machine")
def test_an_address_has_few_connections(
    server: LiveServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(read_timeouts, "MAX_CONNECTIONS", 3)
    host, port = server.address.removeprefix("http://").split(":")

    def connect(address: str = "127.0.0.2") -> socket.socket:
        made = socket.create_connection((host, int(port)), PATIENCE, (address, 0))
        stack.enter_context(made)
        return made

    def answered(connected: socket.socket) -> bool:
        with suppress(OSError):
            connected.sendall(f"{HEAD}\r\n".encode())
            return connected.recv(100).startswith(b"HTTP/1.1 200")
        return False

    with ExitStack() as stack:
        silent = [connect() for _ in range(3)]
        assert not answered(connect())
        # No proxy is affected, and a socket does not count twice.
        proxied = [connect("127.0.0.1") for _ in range(5)]
        assert all(map(answered, proxied))
        silent[0].close()
        ours.wait_until(lambda: answered(connect()))
    path = server.create_match().url
    with ExitStack() as stack:
        for _ in range(5):
            made = connect()
            made.sendall(f"GET {path}/socket HTTP/1.1\r\nHost: localhost\r\n{SOCKET}\r\n".encode())
            assert made.recv(100).startswith(b"HTTP/1.1 101")
