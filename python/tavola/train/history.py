"""The history of a run: what each round played, learned and measured."""

from __future__ import annotations

import msgspec

from tavola.tournament import Scores, elo

__all__ = ["RoundReport", "Score"]


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The score of the new network in games against another engine.

    Attributes:
        games: The number of games.
        mean: The mean share of the win.
        low: The lower end of its 95 % confidence interval.
        high: The upper end.
    """

    games: int
    mean: float
    low: float
    high: float

    @classmethod
    def of(cls, scores: Scores, parties: int) -> Score:
        """Return the score of finished groups of games."""
        low, high = scores.interval()
        return cls(games=scores.total * parties, mean=scores.mean, low=low, high=high)

    def elo(self, parties: int) -> tuple[float, float, float]:
        """Return the Elo difference and its interval, within 800 Elo.

        Args:
            parties: The number of engines in a game.
        """
        shares = (self.mean, self.low, self.high)
        difference = (max(-800.0, min(800.0, elo(share, parties))) for share in shares)
        middle, low, high = difference
        return middle, low, high


class RoundReport(msgspec.Struct, frozen=True, kw_only=True):
    """A finished round.

    Attributes:
        number: The number of the round, from 0.
        games: The number of games.
        samples: The number of samples.
        actions: The number of actions.
        checked: The number of games that were played on after one seat had certainly won.
        wrong: The number of these games that ended otherwise.
        window: The number of samples that the optimizer drew from.
        first: The first round with samples in this window.
        steps: The number of steps of the optimizer so far.
        policy: The mean cross-entropy of the policy.
        shares: The mean cross-entropy of the shares.
        seconds: The time of the round in seconds.
        gate: The score against the best network, if there was a gate.
        passed: Whether the network became the best one.
        anchor: The score against the compiled search, if the network passed.
    """

    number: int
    games: int
    samples: int
    actions: int
    checked: int
    wrong: int
    window: int
    first: int
    steps: int
    policy: float
    shares: float
    seconds: float
    gate: Score | None = None
    passed: bool = False
    anchor: Score | None = None
