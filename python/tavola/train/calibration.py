"""Calibration: the shares that a network predicts, beside the results of fresh games."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from tavola._core import Network
from tavola.executors import Executor
from tavola.tournament import Estimate
from tavola.tournament.statistics import mean_share
from tavola.train.plan import Plan
from tavola.train.self_play import play_round
from tavola.train.weights import Floats

__all__ = ["Range", "calibrate", "ranges"]

BINS = 10
FRESH = 2**31
"""The number of a round that no run reaches, so its games are unknown to every network."""


class Range(NamedTuple):
    """The predicted shares in one of ten equal ranges, with the results.

    Attributes:
        predicted: The mean predicted share.
        actual: The mean share at the end, with an interval over games.
    """

    predicted: float
    actual: Estimate


def ranges(predicted: Floats, actual: Floats, games: NDArray[np.int64]) -> list[Range]:
    """Return predictions and results by range.

    The positions of one game are not independent, so the mean of a game is one observation.

    Args:
        predicted: The predicted shares: (n,).
        actual: The shares at the end of the games: (n,).
        games: The number of the game of each share: (n,).
    """
    bins = np.minimum((predicted * BINS).astype(int), BINS - 1)
    rows = []
    for number in range(BINS):
        inside = bins == number
        if not inside.any():
            continue
        results = [
            float(actual[inside & (games == game)].mean()) for game in np.unique(games[inside])
        ]
        rows.append(Range(float(predicted[inside].mean()), mean_share(results)))
    return rows


def calibrate(
    plan: Plan,
    network: Network,
    games: int,
    *,
    executor: Executor | None = None,
    tell: Callable[[int], None] = lambda done: None,
) -> list[Range]:
    """Let a network play fresh games, and compare the shares of its searches with the results.

    Args:
        plan: The plan of its run.
        network: The network.
        games: The number of games, each played to its end.
        executor: Runs the games; `None` plays them in this process.
        tell: Gets the number of finished games.
    """
    fresh = replace(plan, games=games)
    samples = play_round(fresh, FRESH, network, executor=executor, tell=tell).samples
    numbers = np.repeat(samples.games, plan.load().seats)
    return ranges(samples.roots.ravel(), samples.shares.ravel(), numbers)
