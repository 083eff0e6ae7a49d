"""Long work in threads: one at a time, with breaks."""

from __future__ import annotations

import threading
import time

import pytest

from tavola.server.ops import breaks
from tavola.server.ops.breaks import with_breaks
from tests.server.live_server import PATIENCE


def test_another_thread_works_in_the_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(breaks, "WORK_SECONDS", 0.0)
    done: list[str] = []

    def work(name: str) -> None:
        for _ in with_breaks(range(20)):
            done.append(name)

    threads = [threading.Thread(target=work, args=(name,)) for name in "ab"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert sorted(done) == ["a"] * 20 + ["b"] * 20
    assert done not in (sorted(done), sorted(done, reverse=True))


def test_work_that_fails_lets_others_work() -> None:
    def work() -> None:
        for _ in with_breaks(range(3)):
            raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong") as failed:
        work()
    # While the error is still known.
    assert failed.traceback
    began = time.monotonic()
    assert list(with_breaks(range(3))) == [0, 1, 2]
    assert time.monotonic() - began < PATIENCE
