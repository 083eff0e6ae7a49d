"""Clients that do not read what the server sends to them."""

from __future__ import annotations

import json
import socket
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tavola.server.http import unread_output
from tavola.server.http.read_timeouts import ReadTimeoutProtocol
from tavola.server.http.unread_output import UnreadOutput
from tests.server.http.test_health import figure
from tests.server.live_server import LiveServer, wait_until

UPGRADE = (
    "GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
)

SMALL = 4096
"""The buffers of the system, in bytes; else they would take megabytes."""


@pytest.fixture
def lost(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The connections that have ended. The client of an aborted one learns nothing of it."""
    connection_made, connection_lost = (
        ReadTimeoutProtocol.connection_made,
        UnreadOutput.connection_lost,
    )
    ended: list[object] = []

    def made(self: ReadTimeoutProtocol, transport: Any) -> None:
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SMALL)
        connection_made(self, transport)

    def end(self: UnreadOutput, exc: Exception | None) -> None:
        ended.append(self)
        connection_lost(self, exc)

    monkeypatch.setattr(ReadTimeoutProtocol, "connection_made", made)
    monkeypatch.setattr(UnreadOutput, "connection_lost", end)
    monkeypatch.setattr(unread_output, "UNREAD_SECONDS", 0.3)
    return ended


@contextmanager
def deaf(server: LiveServer) -> Iterator[socket.socket]:
    host, port = server.address.removeprefix("http://").split(":")
    with socket.socket() as made:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL)
        made.connect((host, int(port)))
        made.settimeout(5)
        yield made


def frame(message: dict[str, object]) -> bytes:
    text = json.dumps(message).encode()
    return struct.pack("!BB", 0x81, 0x80 | len(text)) + bytes(4) + text


def test_a_socket_that_does_not_read_is_closed(server: LiveServer, lost: list[object]) -> None:
    guest = server.create_match()
    with deaf(server) as connected:
        connected.sendall(UPGRADE.format(path=f"{guest.url}/socket").encode())
        assert connected.recv(SMALL).startswith(b"HTTP/1.1 101")
        # Not too many messages, but their snapshots fill all buffers.
        connected.sendall(frame({"type": "hello", "tokens": []}) * 25)
        wait_until(lambda: bool(lost), "the server does not hang up")
    wait_until(lambda: figure(server, "tavola_sockets") == 0)


def test_a_client_that_does_not_read_its_answers_is_cut_off(
    server: LiveServer, lost: list[object]
) -> None:
    with deaf(server) as connected:
        connected.sendall(b"GET /api/games/montana HTTP/1.1\r\nHost: localhost\r\n\r\n")
        wait_until(lambda: bool(lost), "the server does not hang up")
