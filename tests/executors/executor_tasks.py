"""Tasks for the tests of executors."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from tavola import Stop
from tavola.errors import TavolaError


@contextmanager
def squares(stop: Stop) -> Iterator[Callable[[int], int | None]]:
    """Square numbers."""
    yield lambda number: number * number


@contextmanager
def mortal(folder: str, times: int, stop: Stop) -> Iterator[Callable[[int], int | None]]:
    """Square numbers, but kill the process during the task 3 until it has died a few times."""

    def run(number: int) -> int:
        deaths = Path(folder) / "deaths"
        if number == 3:
            died = len(deaths.read_text()) if deaths.exists() else 0
            if died < times:
                deaths.write_text("x" * (died + 1))
                os.kill(os.getpid(), signal.SIGKILL)
        return number * number

    yield run


@contextmanager
def refusing(stop: Stop) -> Iterator[Callable[[int], int | None]]:
    """Square numbers, but refuse the number 3."""

    def run(number: int) -> int:
        if number == 3:
            raise TavolaError("three is refused")
        return number * number

    yield run


@contextmanager
def patient(folder: str, stop: Stop) -> Iterator[Callable[[int], int | None]]:
    """Answer the number 0 at once, others when they are stopped; write a file at both ends."""
    (Path(folder) / f"began-{os.getpid()}").touch()

    def run(number: int) -> int | None:
        while number and not stop.is_set():
            time.sleep(0.01)
        return None if number else 0

    yield run
    (Path(folder) / f"left-{os.getpid()}").touch()
