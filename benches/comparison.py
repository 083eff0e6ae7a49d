"""A contest of speed: everybody runs in turn, several times, and ratios are those of one round.

A shared machine is another one a minute later, so only what ran within seconds is compared. Time is
the processor's, of this process, which has one thread at work: what else the machine does
meanwhile counts as little as possible, and for all alike.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console
from rich.progress import track
from rich.table import Table


@dataclass(frozen=True, kw_only=True)
class Contestant:
    """Somebody who takes part.

    Attributes:
        name: What it is called in the table.
        ours: Whether it is Tavola's.
        bar: How many times as fast as the fastest peer it is to be, if it is ours and held to that.
        run: Works for a moment, in one thread, and returns how much it did.
    """

    name: str
    ours: bool
    run: Callable[[], float]
    bar: float | None = None


@dataclass(frozen=True, kw_only=True)
class Score:
    """What one contestant did.

    Attributes:
        name: What it is called.
        ours: Whether it is Tavola's.
        bar: How many times as fast as the fastest peer it is to be, if it is ours and held to that.
        rates: How much it did per second, one number per round.
    """

    name: str
    ours: bool
    bar: float | None
    rates: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the rates."""
        return statistics.median(self.rates)


@dataclass(frozen=True, kw_only=True)
class Contest:
    """A contest that is over.

    Attributes:
        title: What was measured.
        unit: What the rates count.
        scores: Everybody's, in the order in which they ran.
    """

    title: str
    unit: str
    scores: tuple[Score, ...]

    def ratio(self, score: Score) -> float:
        """How many times as fast as the fastest peer one is: the median of the rounds."""
        peers = (score for score in self.scores if not score.ours)
        fastest = max(peers, key=lambda peer: peer.median)
        pairs = zip(score.rates, fastest.rates, strict=True)
        return statistics.median(mine / theirs for mine, theirs in pairs)

    @property
    def reached(self) -> bool:
        """Whether all of ours are as fast as they are to be."""
        return all(self.reaches(score) for score in self.scores)

    def reaches(self, score: Score) -> bool:
        """Whether one of ours is; nobody else is held to anything."""
        return score.bar is None or self.ratio(score) >= score.bar

    def as_json(self) -> dict[str, Any]:
        """Everything, as plain data."""
        return {
            "title": self.title,
            "unit": self.unit,
            "reached": self.reached,
            "machine": f"{platform.system()} {platform.machine()}",
            "scores": [
                {
                    "name": score.name,
                    "ours": score.ours,
                    "bar": score.bar,
                    "median": score.median,
                    "ratio": self.ratio(score),
                    "rates": score.rates,
                }
                for score in self.scores
            ],
        }

    def show(self, console: Console) -> None:
        """Prints the table."""
        table = Table(title=self.title, title_justify="left")
        table.add_column("", no_wrap=True)
        table.add_column(f"1000 {self.unit}/s", justify="right")
        table.add_column("slowest", justify="right", style="dim")
        table.add_column("fastest", justify="right", style="dim")
        table.add_column("ratio", justify="right")
        table.add_column("bar", justify="right")
        for score in sorted(self.scores, key=lambda score: -score.median):
            style = "" if score.bar is None else "green" if self.reaches(score) else "red"
            table.add_row(
                score.name,
                f"{score.median / 1000:,.0f}",
                f"{min(score.rates) / 1000:,.0f}",
                f"{max(score.rates) / 1000:,.0f}",
                f"{self.ratio(score):.2f}",
                "" if score.bar is None else f"{score.bar:g}",
                style=style,
            )
        console.print(table)
        verdict = "All bars are reached" if self.reached else "[red]Not all bars are reached[/red]"
        console.print(f"{verdict}; ratios are to the fastest peer, round by round.\n")


def hold(
    *,
    title: str,
    unit: str,
    contestants: Sequence[Contestant],
    rounds: int,
    console: Console,
) -> Contest:
    """Lets everybody run, one after another, round after round, after one round to warm up."""
    rates: list[list[float]] = [[] for _ in contestants]
    for number in track(range(rounds + 1), description=title, console=console, transient=True):
        for contestant, done in zip(contestants, rates, strict=True):
            began = time.process_time()
            amount = contestant.run()
            seconds = time.process_time() - began
            if number > 0:
                done.append(amount / seconds)
    scores = tuple(
        Score(name=contestant.name, ours=contestant.ours, bar=contestant.bar, rates=tuple(done))
        for contestant, done in zip(contestants, rates, strict=True)
    )
    return Contest(title=title, unit=unit, scores=scores)
