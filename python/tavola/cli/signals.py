"""Signals that end a long command: they all act like Ctrl-C."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import NoReturn


@contextmanager
def interrupt_on_termination() -> Iterator[None]:
    """Raise `KeyboardInterrupt` on SIGTERM and SIGHUP, so that a command saves its results.

    Ignored signals, as under `nohup`, remain ignored.
    """
    terminals = [stream for stream in (1, 2) if os.isatty(stream)]

    def end(number: int, _: FrameType | None) -> NoReturn:
        if number != signal.SIGTERM:
            # The terminal is closed, and writing to it would fail.
            nowhere = os.open(os.devnull, os.O_WRONLY)
            for stream in terminals:
                os.dup2(nowhere, stream)
        raise KeyboardInterrupt

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in map(signal.Signals.__getitem__, names)}
    heard = {number: known for number, known in before.items() if known is not signal.SIG_IGN}
    for number in heard:
        signal.signal(number, end)
    try:
        yield
    finally:
        for number, known in heard.items():
            signal.signal(number, known)


class TimeIsUp(BaseException):
    """The time limit of a block is over. It ends a program as Ctrl-C does."""


@contextmanager
def time_limit(seconds: float | None) -> Iterator[None]:
    """End a block after a time, in the main thread. Windows has no timer, so it does not end there.

    Args:
        seconds: The time; `None` for no limit.
    """
    if seconds is None or not hasattr(signal, "setitimer"):
        yield
        return

    def end(*_: object) -> NoReturn:
        raise TimeIsUp

    before = signal.signal(signal.SIGALRM, end)
    with suppress(TimeIsUp):
        try:
            signal.setitimer(signal.ITIMER_REAL, max(seconds, 1e-6))
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)


@contextmanager
def deferred_interrupts() -> Iterator[None]:
    """Hold Ctrl-C, SIGTERM and SIGHUP back until the end of a short block, in the main thread."""
    received: list[tuple[int, FrameType | None]] = []
    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {number: signal.getsignal(number) for number in map(signal.Signals.__getitem__, names)}
    handlers = {number: known for number, known in before.items() if callable(known)}
    for number in handlers:
        signal.signal(number, lambda *signalled: received.append(signalled))
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        for received_number, frame in received:
            handlers[signal.Signals(received_number)](received_number, frame)
