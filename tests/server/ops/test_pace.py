"""A burst of one client leaves room for the requests of others."""

from __future__ import annotations

import asyncio
import time

import pytest

from tavola.server.ops import pace
from tavola.server.ops.pace import Pace
from tavola.server.ops.rate_limits import Limit, RateLimits
from tests.server.live_server import PATIENCE


def test_a_client_waits_behind_few_requests_of_another() -> None:
    async def work() -> None:
        paced, started = Pace(RateLimits()), list[str]()

        async def request(client: str) -> None:
            await paced.wait(client)
            started.append(client)

        burst = [asyncio.create_task(request("burst")) for _ in range(100)]
        alone = asyncio.create_task(request("alone"))
        await asyncio.gather(*burst, alone)
        assert started.index("alone") == 1
        assert len(started) == 101

    asyncio.run(work())


def test_a_client_that_has_used_its_share_of_the_event_loop_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pace, "LOOP_TIME", Limit(0.1, 0.01))

    async def busy() -> str:
        until = time.thread_time() + 0.03
        while time.thread_time() < until:
            pass
        await asyncio.sleep(0)
        return "done"

    async def work() -> None:
        paced = Pace(RateLimits())
        async with asyncio.timeout(PATIENCE):
            await paced.wait("busy")
            assert await paced.run("busy", busy()) == "done"
            began = time.monotonic()
            gone = asyncio.create_task(paced.wait("busy"))
            waiting = asyncio.create_task(paced.wait("busy"))
            await paced.wait("other")
            assert not waiting.done()
            gone.cancel()
            await waiting
            # 30 ms were used, of which 10 were free; the rest takes ten times as long.
            assert time.monotonic() - began > 0.15

    asyncio.run(work())


def test_what_ends_a_request_is_raised_in_it() -> None:
    ended = []

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append(True)

    async def work() -> None:
        paced = Pace(RateLimits())
        running = asyncio.create_task(paced.run("here", endless()))
        await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert ended
        with pytest.raises(ValueError, match="wrong"):
            await paced.run("here", _failing())

    asyncio.run(work())


async def _failing() -> None:
    await asyncio.sleep(0)
    raise ValueError("wrong")
