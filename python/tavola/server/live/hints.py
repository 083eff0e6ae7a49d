"""Hints during a game: the action of a short search, and the reasons for it."""

from __future__ import annotations

from functools import partial

import msgspec

import tavola
from tavola import _core
from tavola.server.errors import RequestError
from tavola.server.matches.match import Match
from tavola.server.ops.single_flight import SingleFlight
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.schema.advice import Hint, HintReason
from tavola.view import MoveLabel

SECONDS = 1.5


class _Found(msgspec.Struct, frozen=True):
    """The hint of the core."""

    token: str
    move: MoveLabel | None
    reasons: tuple[HintReason, ...]


class Hints:
    """The hint of a match, cached for each position.

    Args:
        work: The queue in which searches wait for their turns.
    """

    def __init__(self, work: WorkQueue) -> None:
        self._work = work
        self._running = SingleFlight[int, Hint]()
        self._hint: Hint | None = None

    async def find(self, match: Match, held: frozenset[int], client: str) -> Hint:
        """Search for at most `SECONDS` in a thread.

        Args:
            match: The match.
            held: The seats of the player who asks.
            client: The address of the player.

        Raises:
            RequestError: `no-hints`, `analysis-limit`, `busy`.
        """
        if not may_ask(match, held):
            raise RequestError("no-hints")
        if self._hint is None or self._hint.seq != match.seq:
            search = partial(self._search, match.state, match.seq, client)
            self._hint = await self._running.get(match.seq, search)
        return self._hint

    async def _search(self, state: tavola.State, seq: int, client: str) -> Hint:
        stop = tavola.Stop()
        work = partial(find_hint, state, seq, stop)
        return await self._work.run(client, work, seconds=SECONDS, stop=stop)


def may_ask(match: Match, held: frozenset[int]) -> bool:
    """Return whether the holder of these seats may have a hint now.

    No other person plays, the match is not rated, and one of the seats is to act.
    """
    alone = match.persons <= held and not match.seating.vacant
    playing = match.status == "playing" and not match.paused
    return alone and playing and match.acting in held and not match.header.rated


def find_hint(state: tavola.State, seq: int, stop: tavola.Stop | None = None) -> Hint:
    """Search a position and explain the best action.

    Args:
        state: A position in which a seat is to act.
        seq: The number of the position.
        stop: Stops the search from another thread.

    Returns:
        The best action with its reasons, the most important first.
    """
    found = msgspec.json.decode(_core._hint(state, stop=stop), type=_Found)
    return Hint(seq, found.token, found.move, found.reasons)
