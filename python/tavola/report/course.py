"""Measures of the course of a game: lead changes, drama, decisiveness, and luck."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise

import msgspec

from tavola.report.data import Action, PlayedGame, Value
from tavola.tournament.statistics import Estimate, share_with_error

__all__ = [
    "LEAD",
    "Course",
    "Part",
    "course",
    "decisiveness",
    "drama",
    "lead_changes",
    "luck_share",
]

LEAD = 0.05
"""A seat leads if its share is greater than every other by this much."""


class Course(msgspec.Struct, frozen=True, kw_only=True):
    """The share of the later winner, by the progress of the game from 0 to 1.

    Attributes:
        low: The 10 % quantile at each point.
        mean: The mean at each point.
        high: The 90 % quantile at each point.
    """

    low: tuple[float, ...]
    mean: tuple[float, ...]
    high: tuple[float, ...]


class Part(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the variance of the result.

    Attributes:
        name: `start`, `chance` or `choices`.
        part: The part, with its interval. All parts sum to 1. Noise can make one negative.
    """

    name: str
    part: Estimate


def lead_changes(values: Sequence[Value]) -> int:
    """Count how often another seat takes the lead.

    Args:
        values: The values of the positions of a game in their order.

    Returns:
        The number of changes from one leader to another. Positions without a leader do not count.

    >>> lead_changes([(0.6, 0.4), (0.51, 0.49), (0.4, 0.6), (0.45, 0.55), (0.7, 0.3)])
    2
    """
    leaders = [leader for value in values if (leader := _leader(value)) is not None]
    return sum(one != other for one, other in pairwise(leaders))


def _leader(value: Value) -> int | None:
    first, second = sorted(value)[-1], sorted(value)[-2]
    return value.index(first) if first - second >= LEAD else None


def drama(game: PlayedGame) -> float:
    """Return the mean severity of the positions in which the later winner was behind.

    The severity is the square root of the lead of the best other seat.

    Args:
        game: A game with a single winner.

    Returns:
        The drama, from 0 to 1; 0 if the winner was never behind.
    """
    assert game.winner is not None
    behind = [
        math.sqrt(max(value) - value[game.winner])
        for value in game.values
        if value[game.winner] < max(value)
    ]
    return math.fsum(behind) / len(behind) if behind else 0.0


def decisiveness(game: PlayedGame) -> float:
    """Return the part of a game that remains after its decision.

    The game is decided at the first position in which the winner's share is greater than any share
    that a loser reaches in the whole game.

    Args:
        game: A game with a single winner and at least one searched position.

    Returns:
        The part of the positions from the decision on, from 0 to 1.
    """
    values, winner = game.values, game.winner
    assert winner is not None
    threshold = max(share for value in values for seat, share in enumerate(value) if seat != winner)
    decided = next(
        (place for place, value in enumerate(values) if value[winner] > threshold), len(values)
    )
    return 1.0 - decided / len(values)


def course(won: Sequence[PlayedGame], points: int) -> Course:
    """Return the share of the later winner over the course of games.

    Args:
        won: Games with a single winner.
        points: The number of points, at equal distances from the first searched position to the
            end.

    Returns:
        The course; at the end the share is 1.
    """
    columns: list[list[float]] = [[] for _ in range(points)]
    for game in won:
        shares = [value[game.winner or 0] for value in game.values]
        if not shares:
            continue
        shares.append(1.0)
        for point, column in enumerate(columns):
            column.append(shares[round(point * (len(shares) - 1) / (points - 1))])
    return Course(
        low=tuple(_quantile(column, 0.1) for column in columns),
        mean=tuple(math.fsum(column) / max(1, len(column)) for column in columns),
        high=tuple(_quantile(column, 0.9) for column in columns),
    )


def _quantile(values: Sequence[float], part: float) -> float:
    return sorted(values)[round(part * (len(values) - 1))] if values else 0.0


def luck_share(games: Sequence[PlayedGame]) -> tuple[Part, ...]:
    """Split the variance of the result into the parts of the start, of chance and of choices.

    A result is the sum of the value of the first searched position, the changes by chance and the
    changes by choices. So its variance is the sum of its covariances with these three.

    Args:
        games: The games of a setting. Of a game with chance, only those count whose luck was
            measured.

    Returns:
        The parts `start`, `chance` and `choices`; without `chance` if nothing is random. Empty if
        all results are equal, or for fewer than two games.
    """
    has_chance = any(action.luck is not None for game in games for action in game.actions)
    sums = [
        _changes(game)
        for game in games
        if game.values and (not has_chance or any(action.luck for action in game.actions))
    ]
    if len(sums) < 2:
        return ()
    names = ("start", "chance", "choices") if has_chance else ("start", "choices")
    results = [tuple(map(math.fsum, zip(*one.values(), strict=True))) for one in sums]
    variance = _covariances(results, results)
    total = math.fsum(variance)
    if total < 1e-9:
        return ()
    parts = []
    for name in names:
        products = _covariances(results, [one[name] for one in sums])
        part = math.fsum(products) / total
        # The delta method for a ratio of means.
        errors = [one - part * other for one, other in zip(products, variance, strict=True)]
        count = len(errors)
        deviation = math.sqrt(math.fsum(error * error for error in errors) / (count - 1))
        error = deviation * math.sqrt(count) / total
        parts.append(Part(name=name, part=share_with_error(part, error, count)))
    return tuple(parts)


def _covariances(one: Sequence[Value], other: Sequence[Value]) -> list[float]:
    """Return the product of the deviations from the mean for each game, summed over seats."""
    means = [
        [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]
        for rows in (one, other)
    ]
    return [
        math.fsum(
            (left - left_mean) * (right - right_mean)
            for left, left_mean, right, right_mean in zip(
                lefts, means[0], rights, means[1], strict=True
            )
        )
        for lefts, rights in zip(one, other, strict=True)
    ]


def _changes(game: PlayedGame) -> dict[str, Value]:
    """Return the value at the start, and the sums of the changes by chance and by choices."""
    start = game.values[0]
    chance = [0.0] * len(start)
    for action in game.actions:
        for seat, change in enumerate(action.luck or ()):
            chance[seat] += change
    choices = (
        end - first - luck for end, first, luck in zip(game.shares, start, chance, strict=True)
    )
    return {"start": start, "chance": tuple(chance), "choices": tuple(choices)}


def gain(actions: Sequence[Action], place: int, shares: Value) -> float | None:
    """Return the change of the acting seat's share by an action, without chance after it.

    Args:
        actions: The actions of a game.
        place: The index of the action.
        shares: The share of the win by seat.

    Returns:
        The change, or `None` if a position was not searched or its luck was not measured.
    """
    action = actions[place]
    after = actions[place + 1].value if place + 1 < len(actions) else shares
    if action.value is None or after is None or (action.chance and action.luck is None):
        return None
    luck = 0.0 if action.luck is None else action.luck[action.seat]
    return after[action.seat] - luck - action.value[action.seat]
