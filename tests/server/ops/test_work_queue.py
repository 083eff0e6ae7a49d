"""Work that is not an action: clients take turns, and pay for the time that it takes."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable

import pytest

from tavola.server.errors import RequestError
from tavola.server.ops import rate_limits
from tavola.server.ops.rate_limits import RateLimits
from tavola.server.ops.work_queue import WorkQueue
from tests.server.live_server import PATIENCE


def run(test: Callable[[WorkQueue], Awaitable[None]]) -> None:
    async def started() -> None:
        work = WorkQueue(1, RateLimits())
        async with asyncio.timeout(PATIENCE):
            await test(work)
        work.close()

    asyncio.run(started())


def test_a_client_waits_behind_one_piece_of_each_other() -> None:
    async def test(work: WorkQueue) -> None:
        done: list[str] = []

        async def piece(client: str) -> None:
            async with work.turn(client):
                await asyncio.sleep(0)
                done.append(client)

        crowd = [asyncio.create_task(piece("crowd")) for _ in range(20)]
        await asyncio.sleep(0)
        await piece("alone")
        assert done.index("alone") <= 2
        await asyncio.gather(*crowd)

    run(test)


def test_work_is_charged_by_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "WORK", rate_limits.Limit(0.0, 0.01, "analysis-limit"))

    async def test(work: WorkQueue) -> None:
        await work.run("here", lambda: threading.Event().wait(0.05))
        with pytest.raises(RequestError, match="analysis-limit"):
            await work.run("here", lambda: None)
        await work.run("elsewhere", lambda: None)
        # A match that is not in memory can be opened all the same.
        async with work.turn("here", always=True):
            pass

    run(test)


def test_so_many_pieces_of_a_client_wait_and_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rate_limits, "MAX_WAITING_WORK", 2)

    async def test(work: WorkQueue) -> None:
        gate = threading.Event()
        running = [asyncio.create_task(work.run("here", gate.wait)) for _ in range(3)]
        await asyncio.sleep(0)
        assert work.waiting == 2
        with pytest.raises(RequestError, match="busy"):
            await work.run("here", lambda: None)
        # Those who leave make room; a thread that runs keeps its turn.
        for task in running:
            task.cancel()
        await asyncio.wait(running)
        assert work.waiting == 0
        waiting = asyncio.create_task(work.run("here", lambda: None))
        await asyncio.sleep(0)
        assert work.waiting == 1
        gate.set()
        await waiting

    run(test)
