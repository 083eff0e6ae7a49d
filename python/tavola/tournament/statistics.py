"""Estimates with their 95 % confidence intervals."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from tavola.tournament.elo import Scores

__all__ = [
    "Z_95",
    "Estimate",
    "mean",
    "mean_count",
    "mean_share",
    "proportion",
    "seat_shares",
    "share_with_error",
]

Z_95 = 1.959963984540054
"""The half-width of a 95 % interval of the normal distribution, in standard deviations."""


class Estimate(msgspec.Struct, frozen=True, kw_only=True):
    """An estimate with its 95 % confidence interval.

    Attributes:
        value: The estimate; 0 without observations.
        low: The lower end of the interval.
        high: The upper end of the interval.
        count: The number of observations.
    """

    value: float
    low: float
    high: float
    count: int


def proportion(successes: int, count: int) -> Estimate:
    """Estimate a probability by Wilson's score interval.

    Args:
        successes: The number of successes.
        count: The number of trials.

    Returns:
        The estimate; the interval is 0 to 1 without trials.

    Source:
        Wilson, "Probable inference, the law of succession, and statistical inference" (1927).

    >>> found = proportion(5, 10)
    >>> round(found.low, 3), found.value, round(found.high, 3)
    (0.237, 0.5, 0.763)
    """
    share = successes / count if count else 0.0
    low, high = _wilson(share, count)
    return Estimate(value=share, low=low, high=high, count=count)


def _wilson(share: float, trials: float) -> tuple[float, float]:
    """Return Wilson's score interval of a share; 0 to 1 without trials."""
    if trials == 0:
        return 0.0, 1.0
    square = Z_95 * Z_95
    centre = (share + square / (2 * trials)) / (1 + square / trials)
    spread = (Z_95 * math.sqrt(share * (1 - share) / trials + square / (4 * trials**2))) / (
        1 + square / trials
    )
    # Rounding must not exclude the share itself.
    return min(share, max(0.0, centre - spread)), max(share, min(1.0, centre + spread))


def share_with_error(value: float, error: float, count: int) -> Estimate:
    """Estimate a share from 0 to 1 whose standard error is known.

    The interval is Wilson's for the number of trials that have this error. So it stays within 0
    to 1, unless noise has moved the share itself out of them.

    Args:
        value: The share.
        error: Its standard error.
        count: The number of observations.

    >>> found = share_with_error(0.7, 0.25, 20)
    >>> round(found.low, 2), round(found.high, 2)
    (0.24, 0.94)
    """
    inside = min(1.0, max(0.0, value))
    variance = inside * (1.0 - inside)
    low, high = _wilson(inside, variance / error**2 if variance and error else count)
    return Estimate(value=value, low=min(value, low), high=max(value, high), count=count)


def mean_share(values: Sequence[float]) -> Estimate:
    """Estimate the mean of shares from 0 to 1, by Wilson's interval.

    One more observation of the greatest variance keeps few equal shares from looking exact.

    Args:
        values: Independent observations.

    Returns:
        The estimate; the interval is 0 to 1 without observations.

    >>> found = mean_share([0.0, 0.0, 0.0])
    >>> found.low, found.value, round(found.high, 2)
    (0.0, 0.0, 0.56)
    """
    count = len(values)
    if count == 0:
        return proportion(0, 0)
    middle = math.fsum(values) / count
    squares = math.fsum((value - middle) ** 2 for value in values) + middle * (1.0 - middle)
    return share_with_error(middle, math.sqrt(max(0.0, squares)) / count, count)


def mean_count(values: Sequence[int]) -> Estimate:
    """Estimate the mean of counts by the score interval of Poisson's distribution.

    The variance is that of the counts in place of Poisson's, so the interval is never below 0.

    Args:
        values: Independent observations.

    Returns:
        The estimate; all is 0 without observations.

    >>> found = mean_count([0, 0, 1, 0])
    >>> round(found.low, 2), found.value, round(found.high, 2)
    (0.04, 0.25, 1.42)
    """
    count = len(values)
    if count == 0:
        return Estimate(value=0.0, low=0.0, high=0.0, count=0)
    middle = sum(values) / count
    squares = math.fsum((value - middle) ** 2 for value in values) + middle
    half = Z_95**2 * (squares / (count * middle) if middle else 1.0) / (2 * count)
    spread = math.sqrt(half * (2 * middle + half))
    return Estimate(
        value=middle, low=max(0.0, middle + half - spread), high=middle + half + spread, count=count
    )


def mean(values: Sequence[float]) -> Estimate:
    """Estimate a mean by the normal approximation.

    Args:
        values: Independent observations.

    Returns:
        The estimate; the interval has width 0 for fewer than two observations.

    >>> found = mean([1.0, 2.0, 3.0])
    >>> round(found.low, 2), found.value, round(found.high, 2)
    (0.87, 2.0, 3.13)
    """
    count = len(values)
    if count == 0:
        return Estimate(value=0.0, low=0.0, high=0.0, count=0)
    middle = math.fsum(values) / count
    if count == 1:
        return Estimate(value=middle, low=middle, high=middle, count=1)
    variance = math.fsum((value - middle) ** 2 for value in values) / (count - 1)
    spread = Z_95 * math.sqrt(variance / count)
    return Estimate(value=middle, low=middle - spread, high=middle + spread, count=count)


def seat_shares(games: Iterable[tuple[int, Sequence[float]]], seats: int) -> tuple[Estimate, ...]:
    """Estimate the share of the win of each seat, whatever engine plays there.

    The games of a group begin with the same opening, so the mean of a group is one observation.

    Args:
        games: The group of each game with the share of the win by seat.
        seats: The number of seats.

    Returns:
        One estimate per seat; `count` is the number of groups.

    >>> even, odd = seat_shares([(0, (1.0, 0.0)), (0, (0.0, 1.0)), (1, (0.5, 0.5))], 2)
    >>> even.value, odd.count
    (0.5, 2)
    """
    groups: dict[int, list[Sequence[float]]] = defaultdict(list)
    for group, shares in games:
        groups[group].append(shares)
    estimates = []
    for seat in range(seats):
        scores = Scores(
            math.fsum(shares[seat] for shares in group) / len(group) for group in groups.values()
        )
        low, high = scores.interval()
        played = sum(map(len, groups.values()))
        total = math.fsum(shares[seat] for group in groups.values() for shares in group)
        value = total / played if played else 1.0 / seats
        # Groups of different sizes have another mean than their games.
        estimates.append(
            Estimate(value=value, low=min(low, value), high=max(high, value), count=scores.total)
        )
    return tuple(estimates)
