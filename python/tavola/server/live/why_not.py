"""Why not this action? Its cost, the reply of another seat, and what that reply does."""

from __future__ import annotations

import asyncio

import msgspec

import tavola
from tavola import _core
from tavola.server.matches.match import Match
from tavola.server.schema.errors import RequestError
from tavola.server.schema.responses import WhyNot

NODES = 8_000
SECONDS = 0.6
"""The limits of each of up to five searches."""
MOST_ANSWERS = 32
"""The size of the cache of answers."""


class Explanations:
    """The explanations of a match, one search at a time."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, str], WhyNot] = {}
        self._lock = asyncio.Lock()

    async def find(self, match: Match, ply: int, token: str, held: frozenset[int]) -> WhyNot:
        """Explain an action of one of the seats of the player who asks.

        Args:
            match: The match.
            ply: The number of actions before it.
            token: The action, played or not.
            held: The seats of the player.

        Raises:
            RequestError: `no-hints`, `unknown-position`, `illegal`.
        """
        alone = bool(held) and match.persons <= held and not match.seating.vacant
        if not alone or match.header.rated:
            raise RequestError("no-hints")
        state = match.at_action(ply).state
        if state.to_act not in held:
            raise RequestError("no-hints")
        if token not in state.legal_actions:
            raise RequestError("illegal", token=token, valid=list(state.legal_actions))
        key = state.text, token
        async with self._lock:
            if key not in self._known:
                while len(self._known) >= MOST_ANSWERS:
                    del self._known[next(iter(self._known))]
                self._known[key] = await asyncio.to_thread(explain, state, token)
        return self._known[key]


def explain(state: tavola.State, token: str) -> WhyNot:
    """Explain a legal action.

    Args:
        state: A position in which a seat is to act.
        token: The action.
    """
    found = _core._why_not(state, token, nodes=NODES, seconds=SECONDS)
    return msgspec.json.decode(found, type=WhyNot)
