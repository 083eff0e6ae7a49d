"""Pairs of an arena: players who are free, near in score, and did not just meet."""

from __future__ import annotations

from collections.abc import Sequence

from tavola.server.tournaments.tournament import History

Pair = tuple[int, int]


def pair_free(free: Sequence[int], history: History) -> list[Pair]:
    """Return pairs of free players, the first seat first.

    Args:
        free: The players without a board, in the order of the standings.
        history: Who met whom, and where.
    """
    waiting = list(free)
    pairs: list[Pair] = []
    while len(waiting) > 1:
        player = waiting.pop(0)
        partner = next((one for one in waiting if not _just_met(player, one, history)), None)
        if partner is None:
            if len(free) > 2:
                continue
            partner = waiting[0]
        waiting.remove(partner)
        pairs.append(_seated(player, partner, history))
    return pairs


def _just_met(one: int, other: int, history: History) -> bool:
    """Return whether the last board of both was against each other."""
    last = history.last.get(one)
    return last is not None and other in last[0] and history.last[other][0] == last[0]


def _seated(one: int, other: int, history: History) -> Pair:
    """Return two players so that the one who sat first less often does now."""
    ahead = [history.seats[player][0] - history.seats[player][1] for player in (one, other)]
    return (one, other) if ahead[0] <= ahead[1] else (other, one)
