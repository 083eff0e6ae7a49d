"""The sequential test (SPRT) of an Elo difference.

It uses the likelihood ratio of two means: the generalized SPRT of Van den Bergh, as in Fishtest.
"""

from __future__ import annotations

import math

import msgspec

from tavola.tournament.elo import Scores, expected

__all__ = ["Sprt"]


class Sprt(msgspec.Struct, frozen=True, kw_only=True):
    """A sequential test: is the engine stronger by `elo1`, or only by `elo0`?

    Attributes:
        elo0: The Elo difference of the null hypothesis.
        elo1: The Elo difference of the alternative hypothesis, greater than `elo0`.
        alpha: The probability of accepting although `elo0` is true.
        beta: The probability of rejecting although `elo1` is true.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """The bounds of the ratio (Wald): the lower one rejects, the upper one accepts.

        >>> tuple(round(bound, 3) for bound in Sprt(elo0=0, elo1=10).bounds)
        (-2.944, 2.944)
        """
        return (
            math.log(self.beta / (1.0 - self.alpha)),
            math.log((1.0 - self.beta) / self.alpha),
        )

    def llr(self, scores: Scores, parties: int = 2) -> float:
        """Return the log-likelihood ratio of the scores so far.

        Args:
            scores: The mean scores of the groups.
            parties: The number of engines in a game.
        """
        if scores.total == 0:
            return 0.0
        refused, accepted = (expected(elo, parties) for elo in (self.elo0, self.elo1))
        return scores.log_likelihood(accepted) - scores.log_likelihood(refused)

    def verdict(self, scores: Scores, parties: int = 2) -> bool | None:
        """Return whether the test accepts; `None` while it is undecided.

        Args:
            scores: The mean scores of the groups.
            parties: The number of engines in a game.
        """
        low, high = self.bounds
        llr = self.llr(scores, parties)
        return False if llr <= low else True if llr >= high else None
