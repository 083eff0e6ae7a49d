"""`docs/examples/bot.py` reports a server that is not Tavola in one line, without a traceback."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import pytest

BOT = Path(__file__).parents[1] / "docs/examples/bot.py"


@pytest.fixture(params=[200, 404])
def other_server(request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a web server that answers every request with a page."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(request.param)
            self.end_headers()
            self.wfile.write(b"<html>\n")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_server_that_is_not_tavola_is_named(other_server: str) -> None:
    command = [sys.executable, str(BOT), other_server, "match", "token"]
    bot = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert bot.returncode == 1
    assert "Tavola" in bot.stderr
    assert "Traceback" not in bot.stderr


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "Expected: bot.py LINK"),
        (["http://127.0.0.1:1/match/x"], "expected a link to a seat"),
        (["http://127.0.0.1:1/match/x#take=1.secret"], "does not answer"),
    ],
)
def test_a_wrong_link_is_refused_in_one_line(arguments: list[str], said: str) -> None:
    command = [sys.executable, str(BOT), *arguments]
    bot = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert bot.returncode == 1
    assert said in bot.stderr
    assert "Traceback" not in bot.stderr
