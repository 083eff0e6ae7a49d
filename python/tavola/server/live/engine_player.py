"""The thinker of a table: the engine that is to act there, one thought at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

import structlog

from tavola.server.live.engine_pool import Engines, Thought
from tavola.server.matches.match import Match

_log = structlog.get_logger("tavola.tables")

LONG = 1.0
"""After how many seconds people are told that an engine waits for its turn to think."""


class Thinker:
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
        engines: Engines,
        act: Callable[[Thought, str | None], Awaitable[None]],
        look: Callable[[], None],
    ) -> None:
        self.waits = False
        self._engines = engines
        self._act = act
        self._look = look
        self._thought: Thought | None = None
        self._patience: asyncio.Handle | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    def wake(self, match: Match, clients: Collection[str]) -> None:
        """Lets the engine think whose turn it is, if it does not already.

        Args:
            match: The match.
            clients: The addresses of those who wait for it.
        """
        if self._thought is not None:
            self._engines.join(self._thought, clients)
        elif match.engine is not None:
            self._thought = Thought(
                match.header.id,
                match.engine,
                match.state,
                alone=not match.engine_due,
                begun=self._begun,
            )
            self._patience = asyncio.get_running_loop().call_later(LONG, self._tell)
            task = asyncio.create_task(self._think(match, self._thought, clients))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def ends(self, thought: Thought) -> bool:
        """Ends a thought that has come to something; `False`: it is not wanted any more."""
        wanted = self._thought is thought
        if wanted:
            self._thought = None
        return wanted

    def heed(self, match: Match | None) -> None:
        """Ends the thought if the match has come to where nothing is to come of it.

        What leaves the position as it is (somebody asks for something, say) does not disturb it.
        """
        thought = self._thought
        if thought is None:
            return
        if match is None or (match.engine, match.state) != (thought.engine, thought.state):
            self.stop()

    def stop(self) -> None:
        """Ends the thought, if there is one: nothing comes of it."""
        if self._thought is not None:
            self._engines.stop(self._thought)
            self._thought = None
            self._begun()

    async def _think(self, match: Match, thought: Thought, clients: Collection[str]) -> None:
        try:
            token = await self._engines.think(thought, clients)
        except Exception:
            # The match stands as it is; the engine is asked again when somebody comes.
            _log.exception("engine failed", match=match.header.id, position=match.state.text)
            token = None
        await self._act(thought, token)

    def _tell(self) -> None:
        self.waits = True
        self._look()

    def _begun(self) -> None:
        if self._patience is not None:
            self._patience.cancel()
        if self.waits:
            self.waits = False
            self._look()
