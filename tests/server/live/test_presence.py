"""Presence: many changes are few messages."""

from __future__ import annotations

import asyncio
from unittest.mock import Mock

import pytest

from tavola.server.snapshots import presence as presence_module
from tavola.server.snapshots.presence import Presence


def test_many_changes_are_sent_together(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(presence_module, "UPDATE_SECONDS", 0.05)

    async def work() -> None:
        presence = Presence(())
        presence.persons = frozenset({0, 1})
        watcher, player = (
            Mock(held=frozenset(held), lag=None, is_silent=False) for held in ((), (0,))
        )
        presence.viewers.add(watcher)
        for _ in range(100):
            presence.viewers.add(player)
            presence.broadcast(player)
            presence.viewers.discard(player)
            presence.broadcast()
        assert watcher.send_presence.call_count == 1
        # A viewer who comes learns it at once.
        assert player.send_presence.call_count == 100
        await asyncio.sleep(0.2)
        assert watcher.send_presence.call_count == 2
        (latest,) = watcher.send_presence.call_args.args
        assert [seat.state for seat in latest.seats] == ["reconnecting", "away"]

    asyncio.run(work())
