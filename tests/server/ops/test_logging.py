"""The journal: written to whatever the standard error stream is now, and never in the way."""

from __future__ import annotations

import io
import json
import socket
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import structlog

from tavola.server.ops.logging import configure
from tests.server.live_server import LiveServer, wait_until
from tests.server.server_process import process


@pytest.fixture(autouse=True)
def configured() -> Iterator[None]:
    configure()
    yield
    structlog.reset_defaults()


def test_a_line_goes_to_the_stream_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    log = structlog.get_logger()
    for _ in range(2):
        stream = io.StringIO()
        monkeypatch.setattr(sys, "stderr", stream)
        log.warning("something", match="m")
        line = json.loads(stream.getvalue())
        assert (line["event"], line["level"], line["match"]) == ("something", "warning", "m")


def test_a_lost_stream_blocks_no_other_client(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    closed = io.StringIO()
    closed.close()
    for stream in (Gone(), closed):
        monkeypatch.setattr(sys, "stderr", stream)
        structlog.get_logger().error("no reader")


def connected(server: LiveServer) -> socket.socket:
    address = urlsplit(server.address)
    return socket.create_connection((address.hostname, address.port))


@pytest.mark.long
def test_log_lines_of_libraries_have_the_same_format(tmp_path: Path) -> None:
    with process(tmp_path / "tavola.db") as running:
        with connected(running.server) as line:
            line.sendall(b"nonsense\r\n\r\n")
            assert line.recv(1000).startswith(b"HTTP/1.1 400")
        running.stop()
    (said,) = (json.loads(line) for line in running.said if line.startswith("{"))
    assert (said["level"], said["logger"]) == ("warning", "uvicorn.error")
    assert {"event", "timestamp"} <= set(said)
    assert not any("uvicorn" in line for line in running.said if not line.startswith("{"))


@pytest.mark.long
def test_a_request_that_is_broken_off_is_no_fault_of_the_servers(tmp_path: Path) -> None:
    with process(tmp_path / "tavola.db") as running:
        with connected(running.server) as line:
            line.sendall(
                b"POST /api/matches HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"
            )
        counted = 'tavola_refusals_total{code="invalid"} 1.0'
        wait_until(lambda: counted in running.server.http.get("/metrics").text)
        assert 'code="internal"' not in running.server.http.get("/metrics").text
        running.stop()
    assert not any("request failed" in line for line in running.said)
