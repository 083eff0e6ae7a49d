"""Compares speeds: all candidates run in turn for several rounds, and ratios are per round.

The speed of a shared machine changes within minutes, so only runs within seconds are compared. The
time is the processor time of this process with one working thread. So other load on the machine
has little effect, and the same for all candidates. Work on several threads is measured by the
clock instead.
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

from tavola.cli.tables import print_table


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A candidate of a comparison.

    Attributes:
        name: The name in the table.
        ours: Whether it belongs to Tavola.
        bar: The required ratio to the fastest peer, if there is one.
        run: Runs for a moment in one thread and returns the amount of work.
    """

    name: str
    ours: bool
    run: Callable[[], float]
    bar: float | None = None


@dataclass(frozen=True, kw_only=True)
class Score:
    """The rates of one candidate.

    Attributes:
        name: The name in the table.
        ours: Whether it belongs to Tavola.
        bar: The required ratio to the fastest peer, if there is one.
        rates: The work per second, one number per round.
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
class Comparison:
    """A finished comparison.

    Attributes:
        title: The title of the table.
        unit: The unit of the rates.
        scores: The scores of all candidates, in their order.
    """

    title: str
    unit: str
    scores: tuple[Score, ...]

    def ratio(self, score: Score) -> float:
        """Returns the ratio to the fastest peer: the median of all rounds."""
        peers = (score for score in self.scores if not score.ours)
        fastest = max(peers, key=lambda peer: peer.median)
        pairs = zip(score.rates, fastest.rates, strict=True)
        return statistics.median(mine / theirs for mine, theirs in pairs)

    @property
    def reached(self) -> bool:
        """Whether all candidates reach their bars."""
        return all(self.reaches(score) for score in self.scores)

    def reaches(self, score: Score) -> bool:
        """Returns whether a candidate reaches its bar; one without a bar always does."""
        return score.bar is None or self.ratio(score) >= score.bar

    def as_json(self) -> dict[str, Any]:
        """Returns all results as plain data."""
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
        print_table(table, console)
        verdict = "All bars are reached" if self.reached else "[red]Not all bars are reached[/red]"
        console.print(f"{verdict}; ratios are to the fastest peer, round by round.\n")


def compare(
    *,
    title: str,
    unit: str,
    candidates: Sequence[Candidate],
    rounds: int,
    console: Console,
    clock: Callable[[], float] = time.process_time,
) -> Comparison:
    """Runs all candidates in turn for several rounds, after a warm-up round."""
    rates: list[list[float]] = [[] for _ in candidates]
    for number in track(range(rounds + 1), description=title, console=console, transient=True):
        for candidate, done in zip(candidates, rates, strict=True):
            began = clock()
            amount = candidate.run()
            seconds = clock() - began
            if number > 0:
                done.append(amount / seconds)
        if number > 0 and not console.is_terminal:
            figures = (
                f"{candidate.name} {done[-1] / 1000:,.0f}"
                for candidate, done in zip(candidates, rates, strict=True)
            )
            console.print(f"Round {number}, 1000 {unit}/s: {'; '.join(figures)}", soft_wrap=True)
    scores = tuple(
        Score(name=candidate.name, ours=candidate.ours, bar=candidate.bar, rates=tuple(done))
        for candidate, done in zip(candidates, rates, strict=True)
    )
    return Comparison(title=title, unit=unit, scores=scores)
