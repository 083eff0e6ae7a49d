"""The journal: written to whatever the standard error stream is now, and never in the way."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator

import pytest
import structlog

from tavola.server.operation.journal import configure


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


def test_a_stream_that_is_gone_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    class Gone(io.StringIO):
        def write(self, _: str) -> int:
            raise BrokenPipeError

    closed = io.StringIO()
    closed.close()
    for stream in (Gone(), closed):
        monkeypatch.setattr(sys, "stderr", stream)
        structlog.get_logger().error("nobody reads this")
