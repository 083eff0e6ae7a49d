"""The thinker of a table: the engine that is to act there, one thought at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog

from tavola.server.live.engine_pool import EnginePool, SearchTask
from tavola.server.matches.match import Match

_log = structlog.get_logger("tavola.tables")

LONG_WAIT = 1.0
"""Seconds after which viewers learn that an engine waits for its turn."""


class EnginePlayer:
    """The engine that is to act at a table.

    Args:
        engines: Where it thinks.
        act: Does what a thought has come to, or nothing if to nothing; asks `ends` first.
        look: Is called when `waits` has changed.

    Attributes:
        waits: Whether it has waited for its turn to think for long.
    """

    def __init__(
        self,
        engines: EnginePool,
        on_action: Callable[[SearchTask, str | None], Awaitable[None]],
        on_waiting_changed: Callable[[], None],
    ) -> None:
        self.is_waiting = False
        self._engines = engines
        self._on_action = on_action
        self._on_waiting_changed = on_waiting_changed
        self._task: SearchTask | None = None
        self._wait_timer: asyncio.Handle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, match: Match, clients: Collection[str]) -> None:
        """Lets the engine think whose turn it is, if it does not already.

        Args:
            match: The match.
            clients: The addresses of those who wait for it.
        """
        if self._task is not None:
            self._engines.add_clients(self._task, clients)
        elif match.engine is not None:
            self._task = SearchTask(
                match.header.id,
                match.engine,
                match.state,
                is_background=not match.engine_due,
                on_start=self._on_start,
            )
            self._wait_timer = asyncio.get_running_loop().call_later(LONG_WAIT, self._on_long_wait)
            task = asyncio.create_task(self._run(match, self._task, clients))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def finish(self, thought: SearchTask) -> bool:
        """Ends a thought that has come to something; `False`: it is not wanted any more."""
        wanted = self._task is thought
        if wanted:
            self._task = None
        return wanted

    def stop_if_outdated(self, match: Match | None) -> None:
        """Ends the thought if the match has come to where nothing is to come of it.

        Events that leave the position unchanged, a request for example, do not disturb it.
        """
        thought = self._task
        if thought is None:
            return
        if match is None or (match.engine, match.state) != (thought.engine, thought.state):
            self.stop()

    def stop(self) -> None:
        """Ends the thought, if there is one: nothing comes of it."""
        if self._task is not None:
            self._engines.stop(self._task)
            self._task = None
            self._on_start()

    async def _run(self, match: Match, thought: SearchTask, clients: Collection[str]) -> None:
        try:
            token = await self._engines.choose_action(thought, clients)
        except Exception:
            # The match is unchanged; the next viewer starts the engine again.
            _log.exception("engine failed", match=match.header.id, position=match.state.text)
            token = None
        await self._on_action(thought, token)

    def _on_long_wait(self) -> None:
        self.is_waiting = True
        self._on_waiting_changed()

    def _on_start(self) -> None:
        if self._wait_timer is not None:
            self._wait_timer.cancel()
        if self.is_waiting:
            self.is_waiting = False
            self._on_waiting_changed()
