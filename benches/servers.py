"""Starts the servers that benches measure."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

PEER = Path(__file__).parent / "boardgame_io"


@dataclass(frozen=True, slots=True)
class Server:
    """A running server.

    Attributes:
        port: Where it listens on this machine.
        pid: Its process.
    """

    port: int
    pid: int

    @property
    def cpu(self) -> float:
        """The used processor time in seconds."""
        used = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(used[11]) + int(used[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> int:
        """The used memory in bytes."""
        pages = Path(f"/proc/{self.pid}/statm").read_text().split()[1]
        return int(pages) * resource.getpagesize()


@contextmanager
def tavola(database: str, *options: str, module: str = "tavola") -> Iterator[Server]:
    """`tavola serve` on a database, until the end of the block."""
    command = [sys.executable, "-m", module, "serve", "--no-browser", "--port", "0", *options]
    with _running([*command, "--database", database], "Tavola is running at ") as (process, said):
        yield Server(int(said.strip().rpartition(":")[2]), process.pid)


@contextmanager
def boardgame_io(folder: Path | None) -> Iterator[Server]:
    """A boardgame.io server that keeps matches in files, or with `None` in memory."""
    node = shutil.which("node")
    if node is None:
        raise RuntimeError("boardgame.io wants Node")
    if not (PEER / "node_modules").is_dir():
        install = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
        subprocess.run(install, cwd=PEER, check=True, stdout=subprocess.DEVNULL)
    # The players connect from many addresses of this machine.
    with socket.create_server(("", 0)) as free:
        port = free.getsockname()[1]
    command = [node, str(PEER / "server.js"), str(port), *([] if folder is None else [str(folder)])]
    with _running(command, "ready") as (process, _):
        yield Server(port, process.pid)


@contextmanager
def _running(command: list[str], ready: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"LC_ALL": "C.UTF-8", "NODE_ENV": "production"},
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            if line.startswith(ready):
                break
        else:
            raise RuntimeError(f"did not start: {command}")
        yield process, line
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()
