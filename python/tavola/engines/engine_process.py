"""The process of an external engine, with line-based input and output."""

from __future__ import annotations

import contextlib
import queue
import shlex
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator

from tavola.child_process import ChildProcess
from tavola.errors import Message, quoted

__all__ = ["MAX_QUEUED_LINES", "EngineProcess", "ProcessEnded", "defer_signals", "split_command"]

LONGEST_LINE = 1 << 20
MAX_QUEUED_LINES = 1000
"""The maximum number of queued output lines."""

MAX_OUTPUT_LINES = 100
"""The number of the last lines of standard error that are kept."""

GLANCE = 0.05


class ProcessEnded(Exception):
    """The process has exited or cannot be started; the message says why."""


@contextlib.contextmanager
def defer_signals() -> Iterator[None]:
    """Defer signals with Python handlers until the end of the block.

    Python runs handlers only in the main thread. Blocking the signals instead would not work: other
    threads could receive them, and the new process would inherit the mask.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    received: list[int] = []

    def obey() -> None:
        for number in received:
            signal.raise_signal(number)

    with contextlib.ExitStack() as after:
        after.callback(obey)
        for number in signal.valid_signals():
            if callable(known := signal.getsignal(number)):
                after.callback(signal.signal, number, known)
                signal.signal(number, lambda number, _: received.append(number))
        yield


def split_command(command: str, *, windows: bool = sys.platform == "win32") -> list[str]:
    r"""Split a command line into words, in shell syntax.

    Args:
        command: The command line.
        windows: Whether `\\` separates folders and quotes nothing.

    Raises:
        ValueError: If a quotation mark is not closed.
    """
    words = shlex.shlex(command, posix=True, punctuation_chars=False)
    words.whitespace_split = True
    words.commenters = ""
    if windows:
        words.escape = ""
    return list(words)


class EngineProcess:
    """A running engine.

    Args:
        command: The command line, in shell syntax; it runs without a shell.

    Raises:
        ProcessEnded: If the process cannot be started.
    """

    def __init__(self, command: str) -> None:
        words = split_command(command)
        self._closed = False
        self._lines: queue.Queue[str | None] = queue.Queue(MAX_QUEUED_LINES)
        self._stderr_lines: deque[str] = deque(maxlen=MAX_OUTPUT_LINES)
        try:
            self._process = ChildProcess(
                words, self._queue_line, self._keep_error, longest_line=LONGEST_LINE
            )
        except (OSError, ValueError) as error:
            program = quoted(words[0])
            reason = Message("cannot start {program}: {error}", program=program, error=error)
            raise ProcessEnded(reason) from None

    def send(self, line: str) -> None:
        """Send a line.

        Raises:
            ProcessEnded: If the process has exited.
        """
        try:
            self._process.send(line.encode())
        except OSError:
            raise self._ended() from None

    def receive(self, deadline: float) -> str | None:
        """Return the next output line without its line break, or `None` at the deadline.

        Args:
            deadline: The deadline, by `time.monotonic()`.

        Raises:
            ProcessEnded: If the process has exited.
        """
        try:
            line = self._lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            return None
        if line is None:
            self._lines.put(None)
            raise self._ended()
        return line

    @property
    def output(self) -> str:
        """The last lines of its standard error."""
        return "\n".join(tuple(self._stderr_lines))

    def close(self, patience: float = 0.0) -> None:
        """End the process and all processes in its group.

        Args:
            patience: The time for the process to exit by itself, in seconds.
        """
        try:
            if not self._closed:
                self._process.wait(patience)
        finally:
            self._closed = True
            self._process.close()

    def _ended(self) -> ProcessEnded:
        status = self._process.wait(1.0)
        if status is None:
            return ProcessEnded(Message("closed its output"))
        how = Message("exited with status {status}", status=status)
        if status < 0:
            how = Message("was killed by signal {signal}", signal=-status)
        if not self._stderr_lines:
            return ProcessEnded(how)
        last = self._stderr_lines[-1].strip()
        return ProcessEnded(Message("{how}: {stderr}", how=how, stderr=last))

    def _queue_line(self, raw: bytes | None) -> None:
        """Queue a line; a full queue blocks the reader, and with it the process."""
        line = None if raw is None else raw.decode(errors="replace").strip()
        while not self._closed:
            with contextlib.suppress(queue.Full):
                self._lines.put(line, timeout=GLANCE)
                return

    def _keep_error(self, raw: bytes | None) -> None:
        # The text appears on terminals and in records, so control characters are removed.
        text = (raw or b"").decode(errors="replace")
        if line := "".join(one if one.isprintable() else " " for one in text).rstrip():
            self._stderr_lines.append(line)
