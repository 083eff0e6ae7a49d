"""In how many actions and turns a certain win comes."""

from __future__ import annotations

import threading

import tavola
from tavola.analysis.types import Certain, Shares

__all__ = ["certain"]

MOST_PLIES = 6
SECONDS = 0.5
"""How far, and how long, the way to a certain win is looked for."""


def certain(state: tavola.State, shares: Shares) -> Certain:
    """What is certain of a state whose exact shares are known.

    Args:
        state: The state.
        shares: What each seat will get.
    """
    most = max(shares)
    winners = tuple(seat for seat, share in enumerate(shares) if share > most / 2)
    if len(winners) == len(shares):
        return Certain(winners=())
    if len(winners) > 1:
        return Certain(winners=winners)
    stop = tavola.Stop()
    bell = threading.Timer(SECONDS, stop.set)
    bell.start()
    try:
        proof = tavola.prove(state, MOST_PLIES, stop=stop)
        if proof is None:
            return Certain(winners=winners)
        last = _held_out(state, proof.plies, stop)
    finally:
        bell.cancel()
    turns = None if last is None else last - state.turn + 1
    return Certain(winners=winners, actions=proof.plies, turns=turns)


def _held_out(state: tavola.State, plies: int, stop: tavola.Stop) -> int | None:
    """The turn of the last action if the winner is quick and all others hold out; None if stopped.

    Args:
        state: A state that is won in exactly so many plies.
        plies: How many.
        stop: Ends the look.
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
            # The winner's quickest way, the others' slowest: both take all the plies.
            if proof is not None and proof.plies == plies - 1:
                state, plies = after, plies - 1
                break
        else:
            raise AssertionError("a win in so many plies has a way of this length")
    return turn
