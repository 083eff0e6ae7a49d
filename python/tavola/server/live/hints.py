"""Hints during a game: the action of a short search, and the reasons for it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import tavola
from tavola import view as views
from tavola.server.matches.match import Match
from tavola.server.schema.errors import RequestError
from tavola.server.schema.responses import Hint, HintReason

NODES = 20_000
SECONDS = 1.5
PLIES = 4
"""The depth of the proofs of threats and wins, in actions."""
MOST_REPLIES = 60
"""The number of replies up to which threats are looked for."""
THREAT = 0.5
"""The share of replies that must lose for a threat."""
MOST_GAINS = 2
MOST_OUTCOMES = 12
"""The number of outcomes of a random event up to which gains are looked for."""


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
    found = tavola.search(state, nodes=NODES, seed=1, threads=1, stop=stop)
    best = found.lines[0]
    return Hint(seq, best.action, tuple(_reasons(state, found, stop)))


def _reasons(
    state: tavola.State, found: tavola.Analysis, stop: tavola.Stop | None
) -> Iterator[HintReason]:
    seat = state.to_act
    assert seat is not None
    best = found.lines[0]
    if best.proven and best.shares[seat] == 1:
        proof = tavola.prove(state, PLIES, stop=stop)
        yield HintReason("wins", n=None if proof is None else proof.plies)
        return
    lost = sum(line.proven and line.shares[seat] == 0 for line in found.lines)
    if lost and not (best.proven and best.shares[seat] == 0):
        yield HintReason("prevents", n=lost, count=len(found.lines))
    after = _own_turn(state, best)
    threats = _threats(after, seat, stop)
    if threats is not None:
        yield HintReason("threatens", n=threats[0], count=threats[1])
    yield from _gains(state, after, seat)
    yield HintReason("chances", n=round(100 * found.shares[seat]))


def _own_turn(state: tavola.State, line: tavola.Line) -> tavola.State:
    """Return the state after the actions of the line that belong to this turn."""
    after = state.play(line.action)
    for token in line.variation[1:]:
        if after.to_act != state.to_act or after.turn != state.turn:
            break
        after = after.play(token)
    return after


def _threats(after: tavola.State, seat: int, stop: tavola.Stop | None) -> tuple[int, int] | None:
    """Return how many replies lose to the seat, and the number of replies; `None` if too few do.

    Only games without chance have threats that can be proven.
    """
    if after.game.has_chance or after.to_act in (None, seat, tavola.CHANCE):
        return None
    replies = after.legal_actions
    if len(replies) > MOST_REPLIES:
        return None
    losing = 0
    for reply in replies:
        if stop is not None and stop.is_set():
            return None
        then = after.play(reply)
        proof = tavola.prove(then, PLIES, stop=stop) if then.outcome is None else None
        losing += proof is not None and proof.winner == seat
    return (losing, len(replies)) if losing >= THREAT * len(replies) else None


def _gains(before: tavola.State, after: tavola.State, seat: int) -> Iterator[HintReason]:
    """Yield the counters of the seat that grow, whatever chance does next."""
    outcomes = _after_chance(after)
    if not outcomes:
        return
    old = _counters(before, seat)
    new = [_counters(state, seat) for state in outcomes]
    grown = []
    # A counter of zero may be missing.
    for name, (_, label) in new[0].items():
        least = min(counters[name][0] if name in counters else 0 for counters in new)
        value = old[name][0] if name in old else 0
        if least > value:
            grown.append(HintReason("gains", n=least - value, label=label))
    yield from sorted(grown, key=lambda gain: -(gain.n or 0))[:MOST_GAINS]


def _counters(state: tavola.State, seat: int) -> dict[str, tuple[int, views.Text]]:
    counters = views.view(state).seats[seat].counters
    return {counter.id: (counter.value, counter.label) for counter in counters}


def _after_chance(state: tavola.State) -> list[tavola.State]:
    """Return the states after every outcome of the next random event; empty for too many."""
    if state.to_act != tavola.CHANCE:
        return [state]
    outcomes = state.chance_outcomes
    if len(outcomes) > MOST_OUTCOMES:
        return []
    return [state.play(token) for token, _ in outcomes]
