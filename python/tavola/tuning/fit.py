"""The weights that foresee best what becomes of positions, and how well they do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from tavola._core import Game, _fit, _loss
from tavola.tuning.self_play import Sample

__all__ = ["Bin", "Fit", "calibration", "fit", "loss"]

HELD_OUT = 5
"""One game in so many is kept out of the fit, to measure it by."""

RIDGE = 4.0
"""How many positions' worth of evidence it takes to believe in a feature."""

PLACES = 4
"""The decimal places of weights and losses."""

BINS = 10


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """Weights, and their mean logarithmic loss on games that they were not fitted to.

    Attributes:
        weights: How much each feature weighs.
        positions: How many positions they were fitted to.
        held_out: How many they were measured by.
        equal: The loss of who foresees equal shares.
        before: The loss of the weights that the game has had.
        fitted: The loss of these weights.
        bins: What was foreseen, and what came of it.
    """

    weights: dict[str, float]
    positions: int
    held_out: int
    equal: float
    before: float
    fitted: float
    bins: tuple[Bin, ...]


class Bin(msgspec.Struct, frozen=True, kw_only=True):
    """Shares that were foreseen alike.

    Attributes:
        count: How many.
        foreseen: Their mean.
        got: The mean of what the seats really got.
    """

    count: int
    foreseen: float
    got: float


def fit(game: Game, samples: Sequence[Sample]) -> Fit:
    """Fits the weights of a game's evaluation.

    Args:
        game: The game.
        samples: Positions of its games; those of every fifth game are held out.

    Raises:
        ValueError: If the game has no evaluation, or there are too few games to hold one out.
    """
    names = list(game.weights)
    known = [sample for sample in samples if sample.number % HELD_OUT]
    unknown = [sample for sample in samples if sample.number % HELD_OUT == 0]
    if not names:
        raise ValueError(f"{game.name} has no evaluation")
    if not known or not unknown:
        raise ValueError("too few games")
    found = _fit([sample.features for sample in known], [sample.shares for sample in known], RIDGE)
    weights = {name: round(weight, PLACES) + 0.0 for name, weight in zip(names, found, strict=True)}
    return Fit(
        weights=weights,
        positions=len(known),
        held_out=len(unknown),
        equal=loss(unknown, dict.fromkeys(names, 0.0)),
        before=loss(unknown, game.weights),
        fitted=loss(unknown, weights),
        bins=calibration(unknown, weights),
    )


def loss(samples: Sequence[Sample], weights: Mapping[str, float]) -> float:
    """The mean logarithmic loss of weights: 0 for who has foreseen everything."""
    features, shares = zip(*((sample.features, sample.shares) for sample in samples), strict=True)
    return round(_loss(features, shares, list(weights.values())), PLACES)


def calibration(samples: Sequence[Sample], weights: Mapping[str, float]) -> tuple[Bin, ...]:
    """What was foreseen for every seat, in ten equal ranges, and what came of it."""
    sums = [[0.0, 0.0, 0.0] for _ in range(BINS)]
    for sample in samples:
        for foreseen, got in zip(_foreseen(sample, weights), sample.shares, strict=True):
            total = sums[min(int(foreseen * BINS), BINS - 1)]
            for place, more in enumerate((1.0, foreseen, got)):
                total[place] += more
    return tuple(
        Bin(count=int(count), foreseen=foreseen / count, got=got / count)
        for count, foreseen, got in sums
        if count
    )


def _foreseen(sample: Sample, weights: Mapping[str, float]) -> list[float]:
    """The shares that the weights foresee."""
    standings = [
        math.fsum(value * weight for value, weight in zip(values, weights.values(), strict=True))
        for values in sample.features
    ]
    best = max(standings)
    odds = [math.exp(standing - best) for standing in standings]
    return [odd / sum(odds) for odd in odds]
