"""A program that one talks with by lines, and that may misbehave."""

from __future__ import annotations

import contextlib
import os
import queue
import shlex
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import IO

from tavola.errors import Message, quoted

__all__ = ["MAX_QUEUED_LINES", "EngineProcess", "ProcessEnded", "defer_signals"]

LONGEST_LINE = 1 << 20
MAX_QUEUED_LINES = 1000
"""How many lines are kept until they are asked for."""

GLANCE = 0.05
LAST_WORDS = 1.0


class ProcessEnded(Exception):
    """The program has ended, or cannot be started; the message says how."""


@contextlib.contextmanager
def defer_signals() -> Iterator[None]:
    """What a signal would break off is done to its end; the signal is obeyed after it.

    Only the main thread obeys signals, and those with a handler: whichever thread they reach, so
    that to block them in this one would not do, and the program would start with them blocked.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def obey() -> None:
        for number in came:
            signal.raise_signal(number)

    with contextlib.ExitStack() as after:
        after.callback(obey)
        for number in signal.valid_signals():
            if callable(known := signal.getsignal(number)):
                after.callback(signal.signal, number, known)
                signal.signal(number, lambda number, _: came.append(number))
        yield


class EngineProcess:
    """A running program, in a process group of its own: Ctrl-C at the terminal is not for it.

    Args:
        command: The command line, in the manner of a shell, but run without one.

    Raises:
        ProcessEnded: If it cannot be started.
    """

    def __init__(self, command: str) -> None:
        words = shlex.split(command)
        try:
            self._process = subprocess.Popen(
                words,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            program = quoted(words[0])
            reason = Message("cannot start {program}: {error}", program=program, error=error)
            raise ProcessEnded(reason) from None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._closed = False
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_QUEUED_LINES)
        self._complaints: deque[str] = deque(maxlen=1)
        self._readers = [
            threading.Thread(
                target=self._read, args=[self._process.stdout], name="ugi-lines", daemon=True
            ),
            threading.Thread(
                target=self._listen, args=[self._process.stderr], name="ugi-complaints", daemon=True
            ),
        ]
        for reader in self._readers:
            reader.start()

    def send(self, line: str) -> None:
        """Sends a line.

        Raises:
            ProcessEnded: If the program has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(f"{line}\n".encode())
            self._process.stdin.flush()
        except OSError:
            raise self._ended() from None

    def receive(self, deadline: float) -> str | None:
        """The next line, without its end; `None` if there is none until the deadline.

        Args:
            deadline: Until when to wait, by `time.monotonic()`.

        Raises:
            ProcessEnded: If the program has ended.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise self._ended()
        return line

    def close(self, patience: float = 0.0) -> None:
        """Ends the program and whatever it has started.

        Args:
            patience: How many seconds to let it end by itself.
        """
        if self._closed:
            return
        try:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(patience)
        finally:
            self._closed = True
            self._kill()
            self._process.wait()
            for reader in self._readers:
                # What has left the group is not killed, and may hold the pipes as long as it runs.
                reader.join(LAST_WORDS)
            assert self._process.stdin is not None
            with contextlib.suppress(OSError):
                self._process.stdin.close()

    def _kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
            return
        # The group outlives its leader where the leader has started others.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _ended(self) -> ProcessEnded:
        try:
            status = self._process.wait(1.0)
        except subprocess.TimeoutExpired:
            return ProcessEnded(Message("has closed its output"))
        self._readers[1].join(GLANCE)
        how = Message("ended with status {status}", status=status)
        if status < 0:
            how = Message("ended by signal {signal}", signal=-status)
        if not self._complaints:
            return ProcessEnded(how)
        return ProcessEnded(Message("{how}: {complaint}", how=how, complaint=self._complaints[0]))

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe:
            for raw in iter(lambda: pipe.readline(LONGEST_LINE), b""):
                self._keep(raw.decode(errors="replace").strip())
                if self._closed:
                    return
        self._keep(None)

    def _keep(self, line: str | None) -> None:
        """Keeps a line until it is asked for; a program that talks too much has to wait."""
        while not self._closed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=GLANCE)
                return

    def _listen(self, pipe: IO[bytes]) -> None:
        with pipe:
            for raw in iter(lambda: pipe.readline(LONGEST_LINE), b""):
                # It is shown on terminals and kept in records: no colours, no bells.
                plain = (one if one.isprintable() else " " for one in raw.decode(errors="replace"))
                if line := "".join(plain).strip():
                    self._complaints.append(line)
