"""Ratings of players from the results of their matches. Pure functions, no storage.

Matches of two seats use Glicko-2, others use the Plackett-Luce model of openskill. Both start at
1500 on the same scale. See `docs/reference/accounts.md`.

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
    """Return the rating of a new player.

    Args:
        seats: The number of seats of the match, 2 or more.

    Returns:
        The start rating: 1500 with the largest deviation.
    """
    return glicko2.START if seats == 2 else openskill.START


def rate(
    ratings: Sequence[Rating], returns: Sequence[float], elapsed: Sequence[float]
) -> tuple[Rating, ...]:
    """Update the ratings after a match.

    Args:
        ratings: The ratings by seat before the match.
        returns: The returns by seat; a higher one is better, equal ones are a draw.
        elapsed: The rating periods by seat since the last rated match of the player.

    Returns:
        The ratings by seat after the match.
    """
    if len(ratings) == 2:
        first, second = ratings
        score = 0.5 if returns[0] == returns[1] else float(returns[0] > returns[1])
        return (
            glicko2.update(first, [(second, score)], elapsed=elapsed[0]),
            glicko2.update(second, [(first, 1.0 - score)], elapsed=elapsed[1]),
        )
    return openskill.update(ratings, returns)
