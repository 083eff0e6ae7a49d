"""The engine that acts in a live match, one search at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog

from tavola.server.live.engine_pool import EnginePool, SearchTask
from tavola.server.matches.match import Match

_log = structlog.get_logger("tavola.matches")

LONG_WAIT = 1.0
"""Seconds after which viewers learn that an engine waits for its turn."""


class EnginePlayer:
    """The engine that acts in a live match.

    Args:
        engines: The pool that runs its searches.
        on_action: Called with a finished search and its action, or None without an action.
        on_waiting_changed: Called when `is_waiting` has changed.

    Attributes:
        is_waiting: Whether its search has waited for a thread for long.
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
        """Start a search for the engine to act, unless one is running.

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

    def finish(self, task: SearchTask) -> bool:
        """End a completed search; return `False` if its result is no longer wanted."""
        wanted = self._task is task
        if wanted:
            self._task = None
        return wanted

    def stop_if_outdated(self, match: Match | None) -> None:
        """Stop the search if the match has moved on.

        Events that leave the position unchanged, a request for example, do not disturb it.
        """
        task = self._task
        if task is None:
            return
        if match is None or (match.engine, match.state) != (task.engine, task.state):
            self.stop()

    def stop(self) -> None:
        """Stop the search, if there is one."""
        if self._task is not None:
            self._engines.stop(self._task)
            self._task = None
            self._on_start()

    async def _run(self, match: Match, task: SearchTask, clients: Collection[str]) -> None:
        try:
            token = await self._engines.choose_action(task, clients)
        except Exception:
            # The match is unchanged; the next viewer starts the engine again.
            _log.exception("engine failed", match=match.header.id, position=match.state.text)
            token = None
        await self._on_action(task, token)

    def _on_long_wait(self) -> None:
        self.is_waiting = True
        self._on_waiting_changed()

    def _on_start(self) -> None:
        if self._wait_timer is not None:
            self._wait_timer.cancel()
        if self.is_waiting:
            self.is_waiting = False
            self._on_waiting_changed()
