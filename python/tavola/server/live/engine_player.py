"""The engine that acts in a live match, one search at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog

import tavola
from tavola.errors import EngineError, EngineFailed, GameFailed
from tavola.server.live.agents import AgentMissing, failure
from tavola.server.live.engine_pool import EnginePool, SearchTask
from tavola.server.matches.match import Match
from tavola.server.schema.responses import EngineFailure
from tavola.server.snapshots.presence import Presence

_log = structlog.get_logger("tavola.matches")

LONG_WAIT = 1.0
"""Seconds after which viewers learn that an engine waits for its turn."""

OnAction = Callable[[SearchTask, str | None], Awaitable[None]]


class EnginePlayer:
    """The engine that acts in a live match.

    Args:
        engines: The pool that runs its searches.
        presence: Shows whether it waits for a thread, and how it failed.
    """

    def __init__(self, engines: EnginePool, presence: Presence) -> None:
        self._engines = engines
        self._presence = presence
        self._task: SearchTask | None = None
        # The engine and the position in which it failed. It tries again when that is forgotten.
        self._failed: tuple[str, tavola.State] | None = None
        self._wait_timer: asyncio.Handle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def failure(self) -> EngineFailure | None:
        """How it failed in this position, if it did."""
        return self._presence.engine_failure

    def start(self, match: Match, clients: Collection[str], on_action: OnAction) -> None:
        """Start a search for the engine to act, unless one is running.

        Args:
            match: The match.
            clients: The addresses of those who wait for it.
            on_action: Called with a finished search and its action, or None without an action.
        """
        if self._task is not None:
            self._engines.add_clients(self._task, clients)
        elif match.engine is not None and self._failed is None:
            self._task = SearchTask(
                match.header.id,
                match.engine,
                match.state,
                is_background=not match.engine_due,
                on_start=self._on_start,
            )
            self._wait_timer = asyncio.get_running_loop().call_later(LONG_WAIT, self._on_long_wait)
            task = asyncio.create_task(self._run(match, self._task, clients, on_action))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def finish(self, task: SearchTask) -> bool:
        """End a completed search; return `False` if its result is no longer wanted."""
        wanted = self._task is task
        if wanted:
            self._task = None
        return wanted

    def stop_if_outdated(self, match: Match | None) -> None:
        """Stop the search and forget the failure if the match has moved on.

        Events that leave the position unchanged, a request for example, do not disturb them.
        """
        now = None if match is None else (match.engine, match.state)
        searched = None if self._task is None else (self._task.engine, self._task.state)
        if any(one is not None and one != now for one in (searched, self._failed)):
            self.stop()

    def forget_failure(self) -> None:
        """Forget that the engine failed, so that it may try again."""
        if self._failed is not None:
            self._failed = self._presence.engine_failure = None
            self._presence.broadcast()

    def stop(self) -> None:
        """Stop the search, if there is one, and forget the failure."""
        self.forget_failure()
        if self._task is not None:
            self._engines.stop(self._task)
            self._task = None
            self._on_start()

    async def _run(
        self, match: Match, task: SearchTask, clients: Collection[str], on_action: OnAction
    ) -> None:
        try:
            token = await self._engines.choose_action(task, clients)
        except Exception as error:
            # The search is over at once, so that the engine can try again for a viewer who comes.
            if self.finish(task):
                self.fail(match, task, error)
            return
        await on_action(task, token)

    def fail(self, match: Match, task: SearchTask, error: Exception) -> None:
        """Log an error of the engine and show it to the players; the match is unchanged.

        Args:
            match: The match.
            task: The search that failed, or whose action could not be played.
            error: The error.
        """
        seat = match.seat_to_act()
        details = {"match": match.header.id, "engine": task.engine, "position": match.state.text}
        if isinstance(error, AgentMissing):
            _log.error("agent missing", **details)
        elif isinstance(error, EngineFailed | EngineError):
            # Its traceback, if it printed one.
            if isinstance(error, EngineFailed) and error.output:
                details["exception"] = error.output
            _log.error("engine failed", error=str(error), **details)
        elif isinstance(error, GameFailed):
            _log.error("rules failed", error=str(error), exc_info=error.__cause__, **details)
        else:
            _log.error("engine failed", exc_info=error, **details)
        self._failed = task.engine, task.state
        name = match.seats[seat].name or task.engine
        self._presence.engine_failure = failure(seat, name, error)
        self._presence.broadcast()

    def _on_long_wait(self) -> None:
        self._presence.engine_waits = True
        self._presence.broadcast()

    def _on_start(self) -> None:
        if self._wait_timer is not None:
            self._wait_timer.cancel()
        if self._presence.engine_waits:
            self._presence.engine_waits = False
            self._presence.broadcast()
