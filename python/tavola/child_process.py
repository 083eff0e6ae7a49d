"""A child process whose output is read line by line."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import IO

__all__ = ["ChildProcess"]

GLANCE = 0.05
READERS_SECONDS = 1.0

OnLine = Callable[[bytes | None], None]
"""Gets each line in a thread of its own, and None after the last one."""


class ChildProcess:
    """A program in its own process group, so that Ctrl-C does not reach it.

    Args:
        words: The program and its arguments.
        on_line: Gets the lines of its output.
        on_error_line: Gets the lines of its standard error; by default that of this process.
        longest_line: The maximum length of a line in bytes; longer ones are split.

    Raises:
        OSError: If the program cannot be started.
    """

    def __init__(
        self,
        words: Sequence[str],
        on_line: OnLine,
        on_error_line: OnLine | None = None,
        *,
        longest_line: int = -1,
    ) -> None:
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=None if on_error_line is None else subprocess.PIPE,
            start_new_session=True,
        )
        self._closed = False
        self._lock = threading.Lock()
        self._longest_line = longest_line
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._input = self._process.stdin
        self._readers = [self._reading(self._process.stdout, on_line, until_closed=True)]
        if on_error_line is not None:
            assert self._process.stderr is not None
            # Its last words, such as a traceback, are read to their end.
            self._readers.append(
                self._reading(self._process.stderr, on_error_line, until_closed=False)
            )

    @property
    def id(self) -> int:
        """The number of the process."""
        return self._process.pid

    def send(self, line: bytes) -> None:
        """Send a line, which gets its line break here.

        Raises:
            OSError: If the process has ended.
        """
        with self._lock:
            if self._closed:
                raise BrokenPipeError
            self._input.write(line + b"\n")
            self._input.flush()

    def wait(self, seconds: float) -> int | None:
        """Return the exit status, negative for a signal; `None` if it does not exit in time."""
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        self._readers[-1].join(GLANCE)
        return status

    def close(self) -> None:
        """End the process and all processes in its group. Closing it twice is allowed."""
        if self._closed:
            return
        self._closed = True
        self._kill()
        self._process.wait()
        for reader in self._readers:
            # A process that has left the group is not killed and may keep the pipes open.
            reader.join(READERS_SECONDS)
        with self._lock, contextlib.suppress(OSError):
            self._input.close()

    def _kill(self) -> None:
        if sys.platform == "win32":
            self._process.kill()
            return
        # The group may outlive its leader.
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)

    def _reading(self, pipe: IO[bytes], on_line: OnLine, *, until_closed: bool) -> threading.Thread:
        def read() -> None:
            with pipe:
                for line in iter(lambda: pipe.readline(self._longest_line), b""):
                    on_line(line)
                    if until_closed and self._closed:
                        break
            on_line(None)

        reader = threading.Thread(target=read, name=f"tavola-child-{self.id}", daemon=True)
        reader.start()
        return reader
