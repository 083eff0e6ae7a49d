"""Ratings for three and more seats: openskill's Plackett-Luce model on the scale of Glicko-2."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from tavola.ratings.rating import Rating

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

START = Rating(value=1500.0, deviation=500.0)


@cache
def _model() -> PlackettLuce:
    # The import is slow, and a server without rated matches does not need it. The parameters are
    # the defaults of openskill (25, 25/3, 25/6, 25/300) times sixty.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=START.value, sigma=START.deviation, beta=250.0, tau=5.0)


def update(ratings: Sequence[Rating], returns: Sequence[float]) -> tuple[Rating, ...]:
    """Update the ratings after a match.

    Args:
        ratings: The ratings by seat before the match.
        returns: The returns by seat; a higher one is better, equal ones are a draw.

    Returns:
        The ratings by seat after the match.
    """
    model = _model()
    sides = [[model.rating(mu=rating.value, sigma=rating.deviation)] for rating in ratings]
    better = [float(sum(other > own for other in returns)) for own in returns]
    return tuple(
        Rating(value=side.mu, deviation=side.sigma) for (side,) in model.rate(sides, ranks=better)
    )
