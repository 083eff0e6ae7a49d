"""The standing of a contest: who has how much, and what that says of strength."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec

from tavola.tournament.elo import Scores, Sprt, elo
from tavola.tournament.game import EngineUsage, GameResult
from tavola.tournament.schedule import Schedule

__all__ = ["Row", "Standings"]


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """How one engine stands. An infinite Elo difference is written as `None`.

    Attributes:
        engine: Its name.
        games: How many games it has played.
        wins: How many of them it won, alone.
        draws: How many it shared with others.
        losses: How many it lost.
        forfeits: How many of those because it failed.
        share: The mean of what it got of its games.
        interval: The 95 % interval of that, by whole groups.
        elo: The difference to the others.
        elo_interval: Its 95 % interval.
        groups: How many groups had each mean score, of those that are whole.
        seconds: How long it took for an action on average, in the games played in this run.
        nodes: How many nodes a second it looked at.
    """

    engine: str
    games: int
    wins: int
    draws: int
    losses: int
    forfeits: int
    share: float
    interval: tuple[float, float]
    elo: float | None
    elo_interval: tuple[float | None, float | None]
    groups: dict[str, int]
    seconds: float | None
    nodes: float | None


class Standings:
    """The standing so far.

    Args:
        plan: The plan of the contest.
        sprt: The test that ends it early: of the first engine against the others.
    """

    def __init__(self, plan: Schedule, sprt: Sprt | None = None) -> None:
        self.plan = plan
        self.sprt = sprt
        self.games = 0
        self._got: list[Counter[float]] = [Counter() for _ in plan.engines]
        self._forfeits = [0] * len(plan.engines)
        self._spent = [EngineUsage() for _ in plan.engines]
        self._begun: dict[int, list[tuple[float, ...]]] = defaultdict(list)
        self._scores = [Scores() for _ in plan.engines]

    def add(self, played: GameResult) -> None:
        """Counts a game."""
        lineup, parties = self.plan.lineup(played.number), len(self.plan.engines)
        got = [0.0] * parties
        for place, share in zip(lineup, played.shares, strict=True):
            got[place] += share
        for place in range(parties):
            self._got[place][got[place]] += 1
        if played.forfeit is not None:
            self._forfeits[lineup[played.forfeit]] += 1
        for place, spent in enumerate(played.thoughts):
            self._spent[place] += spent
        number = (played.number - 1) // parties
        self._begun[number].append(tuple(got))
        if len(self._begun[number]) == parties:
            group = self._begun.pop(number)
            for place, scores in enumerate(self._scores):
                scores.add(sum(game[place] for game in group) / parties)
        self.games += 1

    def add_all(self, games: Iterable[GameResult]) -> None:
        """Counts games."""
        for played in games:
            self.add(played)

    @property
    def llr(self) -> float | None:
        """The logarithm of the likelihood ratio of the test."""
        if self.sprt is None:
            return None
        return self.sprt.llr(self._scores[0], len(self.plan.engines))

    @property
    def verdict(self) -> bool | None:
        """Whether the test accepts that the first engine is stronger; `None` if it is open."""
        if self.sprt is None:
            return None
        return self.sprt.verdict(self._scores[0], len(self.plan.engines))

    @property
    def over(self) -> bool:
        """Whether all games are played, or the test is decided."""
        return self.games == self.plan.games or self.verdict is not None

    def rows(self) -> list[Row]:
        """How each engine stands, in the order of the plan."""
        return [self._row(place) for place in range(len(self.plan.engines))]

    def _row(self, place: int) -> Row:
        got, parties, spent = self._got[place], len(self.plan.engines), self._spent[place]
        scores = self._scores[place]
        interval = scores.interval()
        total = sum(score * count for score, count in got.items())
        share = total / self.games if self.games else 1.0 / parties
        return Row(
            engine=self.plan.engines[place],
            games=self.games,
            wins=sum(count for score, count in got.items() if score > 1 - 1e-9),
            draws=sum(count for score, count in got.items() if 1e-9 <= score <= 1 - 1e-9),
            losses=sum(count for score, count in got.items() if score < 1e-9),
            forfeits=self._forfeits[place],
            share=share,
            interval=interval,
            elo=_finite(elo(share, parties)),
            elo_interval=(_finite(elo(interval[0], parties)), _finite(elo(interval[1], parties))),
            groups={f"{score:.4g}": count for score, count in scores.counts.items()},
            seconds=spent.seconds / spent.actions if spent.actions else None,
            nodes=spent.nodes / spent.seconds if spent.nodes else None,
        )

    def summary(self) -> bytes:
        """Schedule and standing as JSON."""
        test = self.sprt
        told = {
            "plan": self.plan,
            "games": self.games,
            "engines": self.rows(),
            "sprt": None
            if test is None
            else {
                "elo0": test.elo0,
                "elo1": test.elo1,
                "llr": self.llr,
                "bounds": test.bounds,
                "accepted": self.verdict,
            },
        }
        return msgspec.json.format(msgspec.json.encode(told)) + b"\n"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
