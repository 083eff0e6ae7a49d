"""Frames: however what is said is cut up on its way, it is heard; what is no frame ends it."""

from __future__ import annotations

import json
import struct

import pytest

from tests.server.http.test_match_socket import closed_with
from tests.server.live_server import LiveServer

PING = json.dumps({"type": "ping"}).encode()
MASK = b"\x01\x02\x03\x04"


def frame(text: bytes, *, first: int = 0x81, masked: bool = True) -> bytes:
    length = len(text)
    bit = 0x80 if masked else 0
    if length < 126:
        head = struct.pack("!BB", first, bit | length)
    elif length < 1 << 16:
        head = struct.pack("!BBH", first, bit | 126, length)
    else:
        head = struct.pack("!BBQ", first, bit | 127, length)
    if not masked:
        return head + text
    return head + MASK + bytes(byte ^ MASK[at % 4] for at, byte in enumerate(text))


SPACE = b" " * 300
WAYS = {
    "whole": [frame(PING)],
    "byte by byte": [bytes([byte]) for byte in frame(PING)],
    "two and a half": [frame(PING) * 2 + frame(PING)[:9], frame(PING)[9:]],
    "longer": [frame(PING + SPACE)],
    "longer, cut in its head": [frame(PING + SPACE)[:3], frame(PING + SPACE)[3:]],
    "in two frames": [frame(PING[:5], first=0x01), frame(PING[5:], first=0x80)],
    "around a ping": [
        frame(PING[:5], first=0x01),
        frame(b"", first=0x89) + frame(PING[5:], first=0x80),
    ],
}


@pytest.mark.parametrize("way", WAYS)
def test_commands_are_read_in_any_chunks(server: LiveServer, way: str) -> None:
    with server.create_match().connect() as chair:
        chair.receive_until("snapshot")
        for part in WAYS[way]:
            chair.socket.socket.sendall(part)
        for _ in range(3 if way == "two and a half" else 1):
            chair.receive_until("pong")
        chair.socket.socket.sendall(frame(b'{"type": "nonsense"}'))
        assert chair.receive_until("refused")["error"]["code"] == "invalid"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (frame(PING, masked=False), 1002),
        (frame(PING, first=0xC1), 1002),
        (frame(b"", first=0x01) + frame(PING), 1002),
        (frame(b" " * 70_000), 1009),
        (frame(b"\xff"), 1007),
        (frame(b"\xff", first=0x01) + frame(b"\xff", first=0x80), 1007),
    ],
    ids=["unmasked", "compressed", "within another", "too long", "no text", "no text in two"],
)
def test_what_is_no_frame_ends_it_and_is_not_written_down(
    server: LiveServer, caplog: pytest.LogCaptureFixture, said: bytes, code: int
) -> None:
    with server.create_match().connect() as chair:
        chair.receive_until("snapshot")
        chair.socket.socket.sendall(said)
        assert closed_with(chair) == code
    assert not caplog.records
