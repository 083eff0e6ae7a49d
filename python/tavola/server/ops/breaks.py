"""Long work of threads in Python: one works at a time, and takes breaks.

The event loop and the thread that writes wait for such a thread each time they need Python, which
is many times for an action.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator
from typing import TypeVar

T = TypeVar("T")

WORK_SECONDS = 0.0005
"""Processor time between two breaks."""

BREAK_SECONDS = 0.002

_working = threading.Lock()


def with_breaks(steps: Iterable[T]) -> Iterator[T]:
    """Yield the steps of long work; it may pause at each."""
    with _working:
        began = time.thread_time()
        for step in steps:
            yield step
            if time.thread_time() - began >= WORK_SECONDS:
                _working.release()
                time.sleep(BREAK_SECONDS)
                _working.acquire()
                began = time.thread_time()
