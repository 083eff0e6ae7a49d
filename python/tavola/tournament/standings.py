"""The standings of a match between engines: scores and Elo differences."""

from __future__ import annotations

import math
import re
import statistics
from collections import Counter, defaultdict
from collections.abc import Iterable

import msgspec

from tavola.tournament.elo import Scores, elo
from tavola.tournament.game import EngineUsage, GameResult
from tavola.tournament.schedule import Schedule
from tavola.tournament.sprt import Sprt
from tavola.tournament.statistics import Estimate, seat_shares

__all__ = ["Lengths", "Row", "Standings"]

_ACTIONS = re.compile(r'^\[Actions "(\d+)"\]$', re.MULTILINE)


class Lengths(msgspec.Struct, frozen=True, kw_only=True):
    """The lengths of games, in actions and chance outcomes.

    Attributes:
        mean: The mean.
        median: The median.
        shortest: The shortest length.
        longest: The longest length.
    """

    mean: float
    median: float
    shortest: int
    longest: int


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """The score of one engine. An infinite Elo difference is `None`.

    Attributes:
        engine: The specification of the engine.
        games: The number of games.
        wins: The number of games that it won alone.
        draws: The number of games with a shared win.
        losses: The number of lost games.
        forfeits: The number of games lost because the engine failed.
        share: The mean share of the win.
        interval: The 95 % confidence interval of the share, from complete groups.
        elo: The Elo difference to the other engines.
        elo_interval: The 95 % confidence interval of the Elo difference.
        groups: The number of complete groups by mean score.
        seconds: The mean time per action in seconds, of the games played in this run.
        nodes: The number of nodes per second.
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
    """The standings of the games so far.

    Args:
        schedule: The schedule of the match.
        sprt: The sequential test of the first engine against the others, which may end the match.
    """

    def __init__(self, schedule: Schedule, sprt: Sprt | None = None) -> None:
        self.schedule = schedule
        self.sprt = sprt
        self.games = 0
        self._got: list[Counter[float]] = [Counter() for _ in schedule.engines]
        self._forfeits = [0] * len(schedule.engines)
        self._spent = [EngineUsage() for _ in schedule.engines]
        self._begun: dict[int, list[tuple[float, ...]]] = defaultdict(list)
        self._scores = [Scores() for _ in schedule.engines]
        self._finished: list[tuple[int, tuple[float, ...]]] = []
        self._lengths: list[int] = []

    def add(self, played: GameResult) -> None:
        """Add the result of a game."""
        lineup, parties = self.schedule.lineup(played.number), len(self.schedule.engines)
        got = [0.0] * parties
        for place, share in zip(lineup, played.shares, strict=True):
            got[place] += share
        for place in range(parties):
            self._got[place][got[place]] += 1
        if played.forfeit is not None:
            self._forfeits[lineup[played.forfeit]] += 1
        else:
            self._finished.append(((played.number - 1) // parties, played.shares))
            if found := _ACTIONS.search(played.record):
                self._lengths.append(int(found[1]))
        for place, spent in enumerate(played.usage):
            self._spent[place] += spent
        number = (played.number - 1) // parties
        self._begun[number].append(tuple(got))
        if len(self._begun[number]) == parties:
            group = self._begun.pop(number)
            for place, scores in enumerate(self._scores):
                scores.add(sum(game[place] for game in group) / parties)
        self.games += 1

    def add_all(self, games: Iterable[GameResult]) -> None:
        """Add the results of games."""
        for played in games:
            self.add(played)

    @property
    def llr(self) -> float | None:
        """The log-likelihood ratio of the test; `None` without a test."""
        if self.sprt is None:
            return None
        return self.sprt.llr(self._scores[0], len(self.schedule.engines))

    @property
    def verdict(self) -> bool | None:
        """Whether the test accepts that the first engine is stronger; `None` while undecided."""
        if self.sprt is None:
            return None
        return self.sprt.verdict(self._scores[0], len(self.schedule.engines))

    @property
    def over(self) -> bool:
        """Whether all games are finished or the test is decided."""
        return self.games == self.schedule.games or self.verdict is not None

    @property
    def first_seat(self) -> Estimate:
        """The share of the win of the first seat, with its interval. Forfeited games do not count.

        Every engine plays on every seat from every opening, so it measures the game.
        """
        return seat_shares(self._finished, len(self.schedule.lineup(1)))[0]

    @property
    def lengths(self) -> Lengths | None:
        """The lengths of the games that were not forfeited; `None` without games."""
        if not self._lengths:
            return None
        return Lengths(
            mean=statistics.fmean(self._lengths),
            median=statistics.median(self._lengths),
            shortest=min(self._lengths),
            longest=max(self._lengths),
        )

    def rows(self) -> list[Row]:
        """Return the scores of the engines, in the order of the schedule."""
        return [self._row(place) for place in range(len(self.schedule.engines))]

    def _row(self, place: int) -> Row:
        got, parties, spent = self._got[place], len(self.schedule.engines), self._spent[place]
        scores = self._scores[place]
        interval = scores.interval()
        total = sum(score * count for score, count in got.items())
        share = total / self.games if self.games else 1.0 / parties
        return Row(
            engine=self.schedule.engines[place],
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
        """Return the schedule and the standings as JSON."""
        test = self.sprt
        summary = {
            "plan": self.schedule,
            "games": self.games,
            "engines": self.rows(),
            "first_seat": self.first_seat,
            "lengths": self.lengths,
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
        return msgspec.json.format(msgspec.json.encode(summary)) + b"\n"


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
