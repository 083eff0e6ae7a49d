"""The handicap that makes the seats of a game even, by bisection over engine games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from tavola._core import load
from tavola.report.plan import Plan, Series, option_values
from tavola.tournament import GameResult
from tavola.tournament.statistics import Estimate, seat_shares

__all__ = [
    "OPTION",
    "Balance",
    "HandicapResult",
    "balance_series",
    "handicaps",
    "measured",
    "next_handicap",
]

OPTION = "balance"
"""The name of the option; its values are whole numbers that help the first seat more and more."""


class HandicapResult(msgspec.Struct, frozen=True, kw_only=True):
    """The games with one handicap.

    Attributes:
        handicap: The value of the option.
        games: The number of games.
        seats: The share of the win by seat.
    """

    handicap: int
    games: int
    seats: tuple[Estimate, ...]

    @property
    def distance(self) -> float:
        """The greatest difference of a seat's share from an equal part."""
        return max(abs(seat.value - 1.0 / len(self.seats)) for seat in self.seats)


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """The result of the bisection.

    Attributes:
        plan: The plan of the games of each step.
        steps: The steps in the order of their handicaps; the first one is without a handicap.
    """

    plan: Plan
    steps: tuple[HandicapResult, ...]

    @property
    def best(self) -> HandicapResult:
        """The step whose seats are closest to even."""
        return min(self.steps, key=lambda one: one.distance)


def handicaps(game: str) -> tuple[int, ...]:
    """Return the handicaps of a game in ascending order; empty without the option."""
    values = option_values(game).get(OPTION, ())
    return tuple(sorted(map(int, values))) if all(map(str.isdecimal, values)) else ()


def next_handicap(
    known: Sequence[int], first_shares: Mapping[int, float], equal: float
) -> int | None:
    """Return the handicap to measure next.

    Args:
        known: The handicaps in ascending order.
        first_shares: The measured share of the first seat by handicap.
        equal: The equal part.

    Returns:
        The handicap, or `None` if the first seat is not behind without one, or if two
        neighbouring handicaps enclose the equal part.

    >>> next_handicap((0, 1, 2, 3, 4), {}, 0.5), next_handicap((0, 1, 2, 3, 4), {0: 0.4}, 0.5)
    (0, 2)
    >>> next_handicap((0, 1, 2, 3, 4), {0: 0.4, 2: 0.55, 1: 0.48}, 0.5) is None
    True
    """
    if known[0] not in first_shares:
        return known[0]
    if first_shares[known[0]] >= equal:
        return None
    low, high = 0, len(known) - 1
    while high - low > 1:
        middle = (low + high) // 2
        share = first_shares.get(known[middle])
        if share is None:
            return known[middle]
        low, high = (middle, high) if share < equal else (low, middle)
    return None if known[high] in first_shares else known[high]


def balance_series(plan: Plan, handicap: int) -> Series:
    """Return the games of a step. All steps have the same openings and random events.

    Args:
        plan: The plan; its first setting contains the other options.
        handicap: The value of the option.
    """
    options = load(plan.game, **{**plan.settings[0], OPTION: handicap}).options
    changed = msgspec.structs.replace(plan, settings=(options,), skill_games=0)
    (series,) = changed.series()
    return msgspec.structs.replace(series, name=f"{OPTION}-{handicap}", measured=False)


def measured(series: Series, handicap: int, played: Sequence[GameResult]) -> HandicapResult:
    """Return the measured shares of the games of a step."""
    parties = len(series.schedule.engines)
    shares = [((one.number - 1) // parties, one.shares) for one in played]
    seats = series.schedule.load().seats
    return HandicapResult(handicap=handicap, games=len(played), seats=seat_shares(shares, seats))
