"""Hints during a game: the action of a short search, and the reasons for it."""

from __future__ import annotations

import asyncio

import msgspec

import tavola
from tavola import _core
from tavola.server.matches.match import Match
from tavola.server.schema.errors import RequestError
from tavola.server.schema.responses import Hint, HintReason

SECONDS = 1.5


class _Found(msgspec.Struct, frozen=True):
    """The hint of the core."""

    token: str
    reasons: tuple[HintReason, ...]


class Hints:
    """The hint of a match, cached for each position."""

    def __init__(self) -> None:
        self._hint: Hint | None = None

    async def find(self, match: Match, held: frozenset[int]) -> Hint:
        """Search for at most `SECONDS` in a thread.

        Args:
            match: The match.
            held: The seats of the player who asks.

        Raises:
            RequestError: `no-hints`.
        """
        if not may_ask(match, held):
            raise RequestError("no-hints")
        if self._hint is None or self._hint.seq != match.seq:
            self._hint = await _find_hint(match.state, match.seq)
        return self._hint


def may_ask(match: Match, held: frozenset[int]) -> bool:
    """Return whether the holder of these seats may have a hint now.

    No other person plays, the match is not rated, and one of the seats is to act.
    """
    alone = match.persons <= held and not match.seating.vacant
    playing = match.status == "playing" and not match.paused
    return alone and playing and match.acting in held and not match.header.rated


async def _find_hint(state: tavola.State, seq: int) -> Hint:
    stop = tavola.Stop()
    loop = asyncio.get_running_loop()
    bell = loop.call_later(SECONDS, stop.set)
    try:
        return await loop.run_in_executor(None, find_hint, state, seq, stop)
    finally:
        bell.cancel()
        stop.set()


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
    return Hint(seq, found.token, found.reasons)
