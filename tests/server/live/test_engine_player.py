"""The engine of a live match: one search at a time, and none after a failure."""

from __future__ import annotations

import asyncio
from unittest.mock import AsyncMock, Mock

from tavola.server.live.agents import AgentMissing
from tavola.server.live.engine_player import EnginePlayer
from tavola.server.snapshots.presence import Presence


def test_an_engine_tries_again_while_its_failure_waits_for_the_match() -> None:
    async def work() -> None:
        engines = Mock(choose_action=AsyncMock(side_effect=AgentMissing("Raising")))
        player = EnginePlayer(engines, Presence(()))
        match = Mock(engine="agent:Raising")
        match.seat_to_act.return_value = 1
        match.seats = (Mock(), Mock())
        match.seats[1].name = "Raising"
        for searches in (1, 2):
            player.forget_failure()
            assert player.failure is None
            player.start(match, (), AsyncMock())
            await asyncio.sleep(0.01)
            assert engines.choose_action.await_count == searches
            assert player.failure is not None

    asyncio.run(work())
