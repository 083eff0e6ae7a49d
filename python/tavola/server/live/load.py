"""Loads matches by replaying their logs, and caches closed ones."""

from __future__ import annotations

import time
from collections import OrderedDict
from functools import partial

import structlog

from tavola.server.errors import RequestError
from tavola.server.matches.log import Event, Header
from tavola.server.matches.match import CorruptLog, Match
from tavola.server.ops.breaks import with_breaks
from tavola.server.ops.fair_queue import NO_CLIENT
from tavola.server.ops.single_flight import SingleFlight
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.snapshots import snapshot
from tavola.server.storage.database import Database

_log = structlog.get_logger("tavola.matches")

CACHED_EVENTS = 20_000
"""The number of events in the logs of all cached matches together."""

CHECK_SECONDS = 2.0
"""Seconds in which another process may have changed a cached match."""


class MatchLoader:
    """Loads matches from their logs, each once for all who want it at the same time.

    Args:
        database: The database that stores the logs.
        work: The queue in which replays wait for their turns.
    """

    def __init__(self, database: Database, work: WorkQueue) -> None:
        self._database = database
        self._work = work
        self._running = SingleFlight[tuple[str, bool], Match]()
        self._cache: OrderedDict[str, Match] = OrderedDict()
        # When each was last compared with the database.
        self._checked: dict[str, float] = {}
        self._size = 0

    async def load(self, match_id: str, client: str = NO_CLIENT, *, encoded: bool = False) -> Match:
        """Load a match from its log.

        Args:
            match_id: The match.
            client: The address that wants it.
            encoded: Whether to encode its actions for viewers, which takes longer than an action.

        Raises:
            RequestError: `unknown-match`, `rules-changed`; `game-missing` if the game is written in
                Python and not loaded; `damaged` if the log does not lead to the stored positions;
                `busy`.
        """
        key = match_id, encoded
        return await self._running.get(key, partial(self._load, match_id, client, encoded=encoded))

    async def read(self, match_id: str, client: str = NO_CLIENT) -> Match:
        """Return a match that is not open, from the cache if nothing has changed.

        Raises:
            RequestError: As `load`.
        """
        known = self._cache.get(match_id)
        if known is not None and await self._is_current(known):
            # Others may have displaced it meanwhile.
            if match_id in self._cache:
                self._cache.move_to_end(match_id)
            return known
        match = await self.load(match_id, client)
        self.forget(match_id)
        self._cache[match_id] = match
        self._checked[match_id] = time.monotonic()
        self._size += match.seq
        while self._size > CACHED_EVENTS and len(self._cache) > 1:
            self.forget(next(iter(self._cache)))
        return match

    def forget(self, match_id: str) -> None:
        """Remove a match from the cache."""
        known = self._cache.pop(match_id, None)
        self._checked.pop(match_id, None)
        if known is not None:
            self._size -= known.seq

    async def reload(self, match_id: str) -> Match:
        """Load a match with all that has been stored up to now.

        Raises:
            RequestError: As `load`.
        """
        return await self._load(match_id, NO_CLIENT)

    async def close(self) -> None:
        """Stop loading."""
        await self._running.close()

    async def _is_current(self, known: Match) -> bool:
        """Return whether a cached match is as it was in the database `CHECK_SECONDS` ago."""
        match_id, now = known.header.id, time.monotonic()
        if now - self._checked.get(match_id, -CHECK_SECONDS) < CHECK_SECONDS:
            return True
        # All that read it meanwhile take it as it is.
        self._checked[match_id] = now
        return await self._database.version(match_id) == (known.header, known.seq)

    async def _load(self, match_id: str, client: str, *, encoded: bool = False) -> Match:
        # A player who has no time left for analyses can still open a match.
        async with self._work.turn(client, always=True):
            stored = await self._database.load(match_id, self._work.in_turn)
            if stored is None:
                raise RequestError("unknown-match", match=match_id)
            match = await self._work.in_turn(partial(_replay, *stored))
            if encoded:
                await self._work.in_turn(partial(_encode_log, match))
            return match


def _encode_log(match: Match) -> None:
    for _ in with_breaks(snapshot.common_state(match).log):
        """Each is encoded now."""


def _replay(header: Header, log: list[Event]) -> Match:
    """Return a match as its log has made it.

    Raises:
        RequestError: As `MatchLoader.load`.
    """
    try:
        match = Match(header)
        for event in with_breaks(log):
            match.apply(event)
    except RequestError as error:
        if error.code != "unknown-game":
            raise
        raise RequestError("game-missing", game=header.game) from None
    except CorruptLog as damage:
        _log.exception("damaged match", match=header.id, seq=damage.seq)
        raise RequestError("damaged", seq=damage.seq) from damage
    return match
