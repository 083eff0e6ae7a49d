"""`tavola serve` as a process of its own, to be killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.server.databases import migrated_url_of
from tests.server.live_server import PATIENCE, LiveServer


class Process:
    """`tavola serve`, begun; it answers when it is `ready`."""

    server: LiveServer

    def __init__(self, database: Path, *more: str, module: str = "tavola") -> None:
        self.database = migrated_url_of(database)
        command = [sys.executable, "-m", module, "serve", "--no-browser", "--port", "0"]
        self._process = subprocess.Popen(
            [*command, "--database", self.database, *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=os.environ | {"LC_ALL": "C.UTF-8"},
        )
        self.said: list[str] = []

    def ready(self) -> Process:
        """Waits until it says where it is."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self.said.append(line)
            if line.startswith("Tavola is running at "):
                break
        else:
            raise AssertionError(f"the server did not start: {self.said}")
        self.server = LiveServer(line.split()[-1], self.database)
        return self

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def signal(self, number: int) -> None:
        self._process.send_signal(number)

    def kill(self) -> None:
        """As if the power of the process were cut: no handler runs, nothing is flushed."""
        self._process.send_signal(signal.SIGKILL)
        self._end()

    def stop(self) -> int:
        """Asks it to end, and waits.

        Returns:
            Its exit status.
        """
        self._process.send_signal(signal.SIGINT)
        self._process.wait(PATIENCE)
        return self._end()

    def _end(self) -> int:
        if hasattr(self, "server"):
            self.server.close()
        assert self._process.stdout is not None
        self.said.extend(self._process.stdout)
        self._process.stdout.close()
        return self._process.wait(PATIENCE)


@contextmanager
def process(database: Path, *more: str) -> Iterator[Process]:
    running = Process(database, *more).ready()
    try:
        yield running
    finally:
        if running.runs:
            running.kill()
