"""A Redis (or Valkey) of its own for tests of several processes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import Self

import pytest
import redis

from tests.server.databases import SERVER

PROGRAM = shutil.which("valkey-server") or shutil.which("redis-server")

on_several = [
    pytest.mark.skipif(SERVER is None, reason="several processes need PostgreSQL"),
    pytest.mark.skipif(
        PROGRAM is None and "CI" not in os.environ,
        reason="there is no Redis here (Debian: sudo apt install redis-server)",
    ),
]


class RedisServer:
    """A running Redis that keeps nothing when it ends."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self._port}"
        self.start()

    def start(self) -> None:
        assert PROGRAM is not None, "there is no Redis here, and in CI these tests must run"
        options = ["--bind", "127.0.0.1", "--port", str(self._port), "--save", "", "--dir", "."]
        self._process = subprocess.Popen(
            [PROGRAM, *options], cwd=self._folder, stdout=subprocess.DEVNULL
        )
        with redis.Redis.from_url(self.url) as client:
            for _ in range(200):
                try:
                    client.ping()
                    return
                except redis.ConnectionError:
                    assert self._process.poll() is None, "Redis did not start"
                    time.sleep(0.05)
        raise AssertionError("Redis does not answer")

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(10)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
