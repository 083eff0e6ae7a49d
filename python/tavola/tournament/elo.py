"""What scores say of strength: Elo differences, their intervals, and the sequential test.

The unit is the *group*: all games from one opening, in which each engine has had every seat once
(for two seats, a pair). The games of a group are not independent of each other, so that its mean
score is one observation: for two seats one of 0, 1/4, 1/2, 3/4, 1, hence *pentanomial*.

How likely a true mean makes the scores seen is told by the empirical likelihood: of all
distributions over the possible scores with that mean, the one that makes them likeliest. The
interval is where that likelihood is within reach of the best (Wilks), the sequential test the ratio
between two means (Van den Bergh's generalized SPRT, as Fishtest has it). Nothing is assumed of how
often games are drawn, and an engine that has won everything still gets a finite lower bound.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

__all__ = ["Scores", "Sprt", "elo", "expected"]

CHI_SQUARE_95 = 3.841458820694124
"""The 95 % point of the chi-square distribution with one degree of freedom."""

UNSEEN = 1e-3
"""How often a score that was not seen is taken to have been: so little that it decides nothing."""


def expected(elo: float, parties: int = 2) -> float:
    """The mean score that an Elo difference over equal opponents makes one expect.

    >>> round(expected(100), 4), expected(0, parties=4)
    (0.6401, 0.25)
    """
    return 1.0 / (1.0 + (parties - 1) * math.pow(10.0, -elo / 400.0))


def elo(share: float, parties: int = 2) -> float:
    """The Elo difference over equal opponents that a mean score shows.

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
        seen: The score of each group, from 0 to 1.
    """

    def __init__(self, seen: Iterable[float] = ()) -> None:
        self._counts: Counter[float] = Counter()
        for score in seen:
            self.add(score)

    def add(self, score: float) -> None:
        """Counts another group."""
        # Sums of shares such as 1/3 differ in their last digits.
        self._counts[round(score, 9)] += 1

    @property
    def counts(self) -> Mapping[float, int]:
        """How many groups had each score."""
        return dict(sorted(self._counts.items()))

    @property
    def total(self) -> int:
        """How many groups there were."""
        return self._counts.total()

    @property
    def mean(self) -> float:
        """The mean; 1/2 of nothing."""
        if self.total == 0:
            return 0.5
        return sum(score * count for score, count in self.counts.items()) / self.total

    @property
    def _weights(self) -> tuple[tuple[float, float], ...]:
        """Scores with how often they were seen, the extremes a little at least."""
        weights: dict[float, float] = {0.0: UNSEEN, 1.0: UNSEEN}
        weights.update(self.counts)
        return tuple(weights.items())

    def log_likelihood(self, mean: float) -> float:
        """The logarithm of how likely the scores are under a true mean, between 0 and 1.

        A distribution of weights w over scores s, likeliest with a given mean m, has the
        probabilities w / (1 + t (s - m)), and t is where their mean is m.
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
        """The 95 % interval of the true mean; everything if nothing was seen."""
        if self.total == 0:
            return 0.0, 1.0
        weights = self._weights
        best = sum(w * s for s, w in weights) / sum(w for _, w in weights)
        least = self.log_likelihood(best) - CHI_SQUARE_95 / 2
        low = 0.0 if self.mean == 0.0 else self._edge(best, 0.0, least)
        high = 1.0 if self.mean == 1.0 else self._edge(best, 1.0, least)
        return low, high

    def _edge(self, inside: float, outside: float, least: float) -> float:
        """Where the likelihood falls below the least, between a mean inside and one outside."""
        for _ in range(60):
            middle = (inside + outside) / 2
            if 0.0 < middle < 1.0 and self.log_likelihood(middle) >= least:
                inside = middle
            else:
                outside = middle
        return (inside + outside) / 2


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """A sequential test: is the engine stronger by `elo1`, or only by `elo0`?

    Attributes:
        elo0: The difference that is to be refused.
        elo1: The difference that is to be accepted, greater than `elo0`.
        alpha: How often it may accept though `elo0` is true.
        beta: How often it may refuse though `elo1` is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """At or below the first the test refuses, at or above the second it accepts (Wald).

        >>> tuple(round(bound, 3) for bound in Sprt(elo0=0, elo1=10).bounds)
        (-2.944, 2.944)
        """
        return (
            math.log(self.beta / (1.0 - self.alpha)),
            math.log((1.0 - self.beta) / self.alpha),
        )

    def llr(self, scores: Scores, parties: int = 2) -> float:
        """The logarithm of the likelihood ratio so far."""
        if scores.total == 0:
            return 0.0
        refused, accepted = (expected(elo, parties) for elo in (self.elo0, self.elo1))
        return scores.log_likelihood(accepted) - scores.log_likelihood(refused)

    def verdict(self, scores: Scores, parties: int = 2) -> bool | None:
        """Whether the test accepts; `None` while it is not decided."""
        low, high = self.bounds
        llr = self.llr(scores, parties)
        return False if llr <= low else True if llr >= high else None
