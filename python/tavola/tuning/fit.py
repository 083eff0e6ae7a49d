"""Fits the weights of an evaluation to results, and measures their predictions."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import msgspec

from tavola._core import Game, _fit, _loss
from tavola.tuning.self_play import Sample

__all__ = ["Bin", "Fit", "calibration", "fit", "loss"]

HELD_OUT = 5
"""One of this many games is held out for validation."""

RIDGE = 4.0
"""The strength of the ridge regularization, in positions."""

PLACES = 4
"""The number of decimal places of weights and losses."""

BINS = 10


class Fit(msgspec.Struct, frozen=True, kw_only=True):
    """Fitted weights, and their mean logarithmic loss on held-out games.

    Attributes:
        weights: The weight of each feature.
        positions: The number of positions for fitting.
        held_out: The number of positions for validation.
        equal: The loss of predicting equal shares.
        before: The loss of the previous weights of the game.
        fitted: The loss of the fitted weights.
        bins: The calibration of the predictions.
    """

    weights: dict[str, float]
    positions: int
    held_out: int
    equal: float
    before: float
    fitted: float
    bins: tuple[Bin, ...]


class Bin(msgspec.Struct, frozen=True, kw_only=True):
    """Predicted shares in one range, with the actual shares.

    Attributes:
        count: The number of shares.
        predicted: The mean predicted share.
        actual: The mean actual share.
    """

    count: int
    predicted: float
    actual: float


def fit(game: Game, samples: Sequence[Sample]) -> Fit:
    """Fit the weights of a game's evaluation.

    Args:
        game: The game.
        samples: Positions of self-play games. Every fifth game is held out.

    Returns:
        The weights with their losses.

    Raises:
        ValueError: If the game has no evaluation, or there are too few games to hold one out.
    """
    names = list(game.weights)
    training = [sample for sample in samples if sample.number % HELD_OUT]
    unknown = [sample for sample in samples if sample.number % HELD_OUT == 0]
    if not names:
        raise ValueError(f"{game.name} has no evaluation")
    if not training or not unknown:
        raise ValueError("too few games")
    model = _fit(
        [sample.features for sample in training], [sample.shares for sample in training], RIDGE
    )
    weights = {name: round(weight, PLACES) + 0.0 for name, weight in zip(names, model, strict=True)}
    return Fit(
        weights=weights,
        positions=len(training),
        held_out=len(unknown),
        equal=loss(unknown, dict.fromkeys(names, 0.0)),
        before=loss(unknown, game.weights),
        fitted=loss(unknown, weights),
        bins=calibration(unknown, weights),
    )


def loss(samples: Sequence[Sample], weights: Mapping[str, float]) -> float:
    """Return the mean logarithmic loss of weights; 0 is a perfect prediction.

    Args:
        samples: The positions, with the results of their games.
        weights: The weights by feature.
    """
    features, shares = zip(*((sample.features, sample.shares) for sample in samples), strict=True)
    return round(_loss(features, shares, list(weights.values())), PLACES)


def calibration(samples: Sequence[Sample], weights: Mapping[str, float]) -> tuple[Bin, ...]:
    """Return the predicted and actual shares of all seats, in ten equal ranges.

    Args:
        samples: The positions, with the results of their games.
        weights: The weights by feature.
    """
    sums = [[0.0, 0.0, 0.0] for _ in range(BINS)]
    for sample in samples:
        for predicted, actual in zip(_predicted(sample, weights), sample.shares, strict=True):
            total = sums[min(int(predicted * BINS), BINS - 1)]
            for place, more in enumerate((1.0, predicted, actual)):
                total[place] += more
    return tuple(
        Bin(count=int(count), predicted=predicted / count, actual=actual / count)
        for count, predicted, actual in sums
        if count
    )


def _predicted(sample: Sample, weights: Mapping[str, float]) -> list[float]:
    """Return the shares that the weights predict."""
    standings = [
        math.fsum(value * weight for value, weight in zip(values, weights.values(), strict=True))
        for values in sample.features
    ]
    best = max(standings)
    odds = [math.exp(standing - best) for standing in standings]
    return [odd / sum(odds) for odd in odds]
