"""A burst of one client leaves room for the requests of others."""

from __future__ import annotations

import asyncio

from tavola.server.ops.pace import STARTS, Pace


def test_a_client_waits_behind_few_requests_of_another() -> None:
    async def work() -> None:
        pace, started = Pace(), list[str]()

        async def request(client: str) -> None:
            await pace.wait(client)
            started.append(client)

        burst = [asyncio.create_task(request("burst")) for _ in range(100)]
        alone = asyncio.create_task(request("alone"))
        await asyncio.gather(*burst, alone)
        assert started.index("alone") == STARTS
        assert len(started) == 101

    asyncio.run(work())
