"""Ratings: how strong somebody is by the matches they have played. Pure functions, no storage.

Two seats are rated by Glicko-2, more by openskill's model of Plackett and Luce, both on the same
scale: 1500 to begin with. See `docs/reference/accounts.md`.

>>> from tavola.ratings import rate, start
>>> winner, loser = rate([start(2), start(2)], [1.0, -1.0], [0.0, 0.0])
>>> round(winner.value), round(loser.value)
(1662, 1338)
"""

from __future__ import annotations

from collections.abc import Sequence

from tavola.ratings import glicko2, openskill
from tavola.ratings.rating import Rating

__all__ = ["Rating", "rate", "start"]


def start(seats: int) -> Rating:
    """What is held of somebody of whom nothing is known.

    Args:
        seats: How many seats the match has, 2 or more.
    """
    return glicko2.START if seats == 2 else openskill.START


def rate(
    ratings: Sequence[Rating], returns: Sequence[float], elapsed: Sequence[float]
) -> tuple[Rating, ...]:
    """The ratings after a match.

    Args:
        ratings: By seat, before the match.
        returns: By seat: more is better, equal is equal.
        elapsed: By seat, how many rating periods have passed since their last rated match.

    Returns:
        By seat, after the match.
    """
    if len(ratings) == 2:
        first, second = ratings
        score = 0.5 if returns[0] == returns[1] else float(returns[0] > returns[1])
        return (
            glicko2.rated(first, [(second, score)], elapsed=elapsed[0]),
            glicko2.rated(second, [(first, 1.0 - score)], elapsed=elapsed[1]),
        )
    return openskill.rated(ratings, returns)
