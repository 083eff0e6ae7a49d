"""Elo differences from scores, and their confidence intervals.

The unit is the *group*: all games from one opening, in which each engine plays every seat once (for
two seats, a pair). The games of a group are not independent, so its mean score is one observation.
For two seats it is 0, 1/4, 1/2, 3/4 or 1, hence the name *pentanomial*.

The likelihood of a true mean is the empirical likelihood: that of the most likely distribution over
the possible scores with this mean. The confidence interval contains the means whose likelihood is
close to the best one (Wilks). The method makes no assumption about the draw rate, and an engine
that has won all games still gets a finite lower bound.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

__all__ = ["Scores", "elo", "expected"]

CHI_SQUARE_95 = 3.841458820694124
"""The 95 % point of the chi-square distribution with one degree of freedom."""

UNSEEN = 1e-3
"""The weight of scores that were not observed, small enough to have no effect."""


def expected(elo: float, parties: int = 2) -> float:
    """Return the expected mean score of an Elo difference over equal opponents.

    Args:
        elo: The Elo difference.
        parties: The number of engines in a game.

    Returns:
        The expected share of the win, from 0 to 1.

    >>> round(expected(100), 4), expected(0, parties=4)
    (0.6401, 0.25)
    """
    return 1.0 / (1.0 + (parties - 1) * math.pow(10.0, -elo / 400.0))


def elo(share: float, parties: int = 2) -> float:
    """Return the Elo difference over equal opponents of a mean score.

    Args:
        share: The mean share of the win, from 0 to 1.
        parties: The number of engines in a game.

    Returns:
        The difference; infinite for a share of 0 or 1.

    >>> round(elo(0.75), 1), elo(0.25, parties=4), elo(1.0)
    (190.8, 0.0, inf)
    """
    if share <= 0.0:
        return -math.inf
    if share >= 1.0:
        return math.inf
    return 400.0 * math.log10(share * (parties - 1) / (1.0 - share))


class Scores:
    """The mean scores of finished groups.

    Args:
        seen: The mean score of each group, from 0 to 1.
    """

    def __init__(self, seen: Iterable[float] = ()) -> None:
        self._counts: Counter[float] = Counter()
        for score in seen:
            self.add(score)

    def add(self, score: float) -> None:
        """Add the mean score of a group."""
        # Sums of shares such as 1/3 differ in their last digits.
        self._counts[round(score, 9)] += 1

    @property
    def counts(self) -> Mapping[float, int]:
        """The number of groups by score."""
        return dict(sorted(self._counts.items()))

    @property
    def total(self) -> int:
        """The number of groups."""
        return self._counts.total()

    @property
    def mean(self) -> float:
        """The mean score; 1/2 without groups."""
        if self.total == 0:
            return 0.5
        return sum(score * count for score, count in self.counts.items()) / self.total

    @property
    def _weights(self) -> tuple[tuple[float, float], ...]:
        """Scores with their counts; the extremes have at least the weight `UNSEEN`."""
        weights: dict[float, float] = {0.0: UNSEEN, 1.0: UNSEEN}
        weights.update(self.counts)
        return tuple(weights.items())

    def log_likelihood(self, mean: float) -> float:
        """Return the log-likelihood of a true mean.

        The most likely distribution over scores s with weights w and mean m has the probabilities
        w / (1 + t (s - m)), where t is such that their mean is m.

        Args:
            mean: The true mean, between 0 and 1.

        Returns:
            The natural logarithm of the empirical likelihood.
        """
        weights = self._weights
        total = sum(weight for _, weight in weights)
        low, high = -1.0 / (1.0 - mean), 1.0 / mean
        for _ in range(200):
            middle = (low + high) / 2
            if middle in (low, high):
                break
            pull = sum(w * (s - mean) / (1.0 + middle * (s - mean)) for s, w in weights)
            low, high = (middle, high) if pull > 0 else (low, middle)
        tilt = (low + high) / 2
        return sum(w * math.log(w / total / (1.0 + tilt * (s - mean))) for s, w in weights)

    def interval(self) -> tuple[float, float]:
        """Return the 95 % confidence interval of the true mean; 0 to 1 without groups."""
        if self.total == 0:
            return 0.0, 1.0
        weights = self._weights
        best = sum(w * s for s, w in weights) / sum(w for _, w in weights)
        least = self.log_likelihood(best) - CHI_SQUARE_95 / 2
        low = 0.0 if self.mean == 0.0 else self._edge(best, 0.0, least)
        high = 1.0 if self.mean == 1.0 else self._edge(best, 1.0, least)
        return low, high

    def _edge(self, inside: float, outside: float, least: float) -> float:
        """Return the edge of the interval, between a mean inside and one outside."""
        for _ in range(60):
            middle = (inside + outside) / 2
            if 0.0 < middle < 1.0 and self.log_likelihood(middle) >= least:
                inside = middle
            else:
                outside = middle
        return (inside + outside) / 2
