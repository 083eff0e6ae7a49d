"""Matches of three and more: openskill's model of Plackett and Luce, on the scale of Glicko-2."""

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
    # Imported here: a server in which nobody is rated need not wait for it. The proportions are
    # openskill's own (25, 25/3, 25/6, 25/300), sixty times as large.
    from openskill.models import PlackettLuce

    return PlackettLuce(mu=START.value, sigma=START.deviation, beta=250.0, tau=5.0)


def rated(ratings: Sequence[Rating], returns: Sequence[float]) -> tuple[Rating, ...]:
    """The ratings after a match.

    Args:
        ratings: By seat, before it.
        returns: By seat: more is better, equal is equal.
    """
    model = _model()
    sides = [[model.rating(mu=rating.value, sigma=rating.deviation)] for rating in ratings]
    better = [float(sum(other > own for other in returns)) for own in returns]
    return tuple(
        Rating(value=side.mu, deviation=side.sigma) for (side,) in model.rate(sides, ranks=better)
    )
