"""Why not this action? Its cost, the reply of another seat, and what that reply does."""

from __future__ import annotations

from functools import partial

import msgspec

import tavola
from tavola import _core
from tavola.server.errors import RequestError
from tavola.server.matches.match import Match
from tavola.server.ops.single_flight import SingleFlight
from tavola.server.ops.work_queue import WorkQueue
from tavola.server.schema.advice import WhyNot

NODES = 8_000
SECONDS = 0.6
"""The limits of each of up to five searches."""
MOST_ANSWERS = 32
"""The size of the cache of answers."""


class WhyNotAnswers:
    """The answers to "Why not this?" in a match.

    Args:
        work: The queue in which searches wait for their turns.
    """

    def __init__(self, work: WorkQueue) -> None:
        self._work = work
        self._running = SingleFlight[tuple[str, str], WhyNot]()
        self._known: dict[tuple[str, str], WhyNot] = {}

    async def find(
        self, match: Match, ply: int, token: str, held: frozenset[int], client: str
    ) -> WhyNot:
        """Explain an action of one of the seats of the player who asks.

        Args:
            match: The match.
            ply: The number of actions before it.
            token: The action, played or not.
            held: The seats of the player.
            client: The address of the player.

        Raises:
            RequestError: `no-hints`, `unknown-position`, `illegal`, `analysis-limit`, `busy`.
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
        if key not in self._known:
            work = partial(explain, state, token)
            found = await self._running.get(key, partial(self._work.run, client, work))
            while len(self._known) >= MOST_ANSWERS:
                del self._known[next(iter(self._known))]
            self._known[key] = found
        return self._known[key]


def explain(state: tavola.State, token: str) -> WhyNot:
    """Explain a legal action.

    Args:
        state: A position in which a seat is to act.
        token: The action.
    """
    found = _core._why_not(state, token, nodes=NODES, seconds=SECONDS)
    return msgspec.json.decode(found, type=WhyNot)
