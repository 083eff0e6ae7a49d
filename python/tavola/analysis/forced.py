"""The number of actions and turns until a forced win."""

from __future__ import annotations

import threading

import tavola
from tavola.analysis.types import ForcedResult, Shares

__all__ = ["forced_result"]

MOST_PLIES = 6
SECONDS = 0.5
"""The limits of the search for the shortest win."""


def forced_result(state: tavola.State, shares: Shares) -> ForcedResult:
    """Return the forced result of a state with proven shares.

    Args:
        state: The state.
        shares: The proven shares by seat.

    Returns:
        The winners, and the number of actions and turns if the search finds them within its limits.
    """
    most = max(shares)
    winners = tuple(seat for seat, share in enumerate(shares) if share > most / 2)
    if len(winners) == len(shares):
        return ForcedResult(winners=())
    if len(winners) > 1:
        return ForcedResult(winners=winners)
    stop = tavola.Stop()
    bell = threading.Timer(SECONDS, stop.set)
    bell.start()
    try:
        proof = tavola.prove(state, MOST_PLIES, stop=stop)
        if proof is None:
            return ForcedResult(winners=winners)
        last = _held_out(state, proof.plies, stop)
    finally:
        bell.cancel()
    turns = None if last is None else last - state.turn + 1
    return ForcedResult(winners=winners, actions=proof.plies, turns=turns)


def _held_out(state: tavola.State, plies: int, stop: tavola.Stop) -> int | None:
    """Return the turn of the last action if all sides play the longest defence.

    Args:
        state: A state that is won in exactly `plies` plies.
        plies: The number of plies.
        stop: Ends the search.

    Returns:
        The number of the turn, or None if the search was stopped.
    """
    turn = state.turn
    while plies > 0:
        turn = state.turn
        tokens = list(state.legal_actions) or [token for token, _ in state.chance_outcomes]
        for token in tokens:
            after = state.play(token)
            proof = tavola.prove(after, plies - 1, stop=stop)
            if stop.is_set():
                return None
            # The winner's fastest line and the slowest defence both take all plies.
            if proof is not None and proof.plies == plies - 1:
                state, plies = after, plies - 1
                break
        else:
            raise AssertionError("a win in n plies has a line of n plies")
    return turn
