"""Finds the levels of a game, with equal differences of strength between neighbours.

The search has one parameter, the *dial*: the base-2 logarithm of the number of nodes. A low dial
also reduces `lookahead` and raises `blunders`. Engines along the dial play their neighbours, which
gives the strength as a function of the dial. The levels are at equal distances on this curve.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.console import Console

from benches.levels import play
from tavola.tournament import Row
from tavola.tournament.elo import elo

AIM = 0.68
"""The score of each level against the one below."""

STEP = 1.5
"""The distance between neighbours on the dial."""

LOWEST = 2.0
"""The low end of the dial: four nodes."""

STEADY = 11.0
"""The dial from which on engines do not blunder and use the full look-ahead."""

MOST = 600.0
"""The maximum Elo difference between neighbours; larger ones cannot be measured."""


@dataclass(frozen=True)
class Climb:
    """The score of an engine of the dial against its lower neighbour."""

    dial: float
    row: Row

    @property
    def gain(self) -> float:
        """The Elo difference."""
        return min(max(elo(self.row.share), 0.0), MOST)


def engine(dial: float) -> str:
    """The engine at a place of the dial, in doublings of nodes.

    >>> engine(12), engine(6)
    ('tree:nodes=4096', 'tree:nodes=64,lookahead=0,blunders=0.60')
    """
    nodes = max(round(2**dial), 4)
    missing = max(STEADY - dial, 0.0)
    settings = [f"nodes={nodes}"]
    if missing > 0:
        settings += [
            f"lookahead={max(5 - math.ceil(missing), 0)}",
            f"blunders={0.12 * missing:.2f}",
        ]
    return "tree:" + ",".join(settings)


def climb(
    game: str, highest: float, *, games: int, processes: int, console: Console
) -> Iterator[Climb]:
    """Every engine of the dial against the one a step below it, from the lowest on.

    Args:
        game: The game.
        highest: Where the dial ends, in doublings of nodes.
        games: How many games each of them plays.
        processes: How many games at the same time.
        console: Where progress is shown.
    """
    dial = LOWEST
    while dial < highest:
        below, dial = dial, min(dial + STEP, highest)
        row = play(
            game,
            engine(dial),
            engine(below),
            games=games,
            seed=round(10 * dial),
            processes=processes,
            console=console,
        )
        yield Climb(dial, row)


def smooth(gains: Sequence[float]) -> list[float]:
    """Each the mean of itself, which counts twice, and its neighbours.

    >>> smooth([0, 40, 0])
    [13.3, 20.0, 13.3]
    """
    means = []
    for place, gain in enumerate(gains):
        beside = [*gains[max(place - 1, 0) : place], *gains[place + 1 : place + 2]]
        means.append(round((2 * gain + sum(beside)) / (2 + len(beside)), 1))
    return means


def places(climbs: Sequence[Climb], levels: int) -> list[float]:
    """Where on the dial the levels below its end are, strongest first, as far as it goes.

    Args:
        climbs: Engines of the dial from the lowest on, each against the one below.
        levels: How many are wanted.
    """
    dials, heights = [LOWEST], [0.0]
    for step, gain in zip(climbs, smooth([step.gain for step in climbs]), strict=True):
        dials.append(step.dial)
        heights.append(heights[-1] + max(gain, 1.0))
    found = []
    for level in range(1, levels + 1):
        height = heights[-1] - level * elo(AIM)
        if height < 0.0:
            break
        right = max(bisect_left(heights, height), 1)
        part = (height - heights[right - 1]) / (heights[right] - heights[right - 1])
        found.append(dials[right - 1] + part * (dials[right] - dials[right - 1]))
    return found
