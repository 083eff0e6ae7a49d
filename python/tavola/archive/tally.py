"""The actions of a position with their results."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

import msgspec

__all__ = ["Result", "Tally", "tallies"]


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """Games with the same action in a position and the same winners.

    Attributes:
        token: The action or random event.
        winners: The seats that won; empty for a draw.
        count: The number of games.
    """

    token: str
    winners: tuple[int, ...]
    count: int


class Tally(msgspec.Struct, frozen=True, kw_only=True):
    """An action of a position, how often it was played and how those games ended.

    Attributes:
        token: The action or random event.
        count: The number of games.
        won: The number of games that each seat won.
        drawn: The number of draws.
        shares: The mean share of the win of each seat, 1 in sum. Winners of one game share it.
    """

    token: str
    count: int
    won: tuple[int, ...]
    drawn: int
    shares: tuple[float, ...]


def tallies(results: Iterable[Result], seats: int) -> tuple[Tally, ...]:
    """Sum up results by action.

    Args:
        results: The results, in any order; equal ones are added.
        seats: The number of seats.

    Returns:
        The actions, the most frequent one first.

    >>> found = [Result(token="a", winners=(0,), count=3), Result(token="a", winners=(), count=1)]
    >>> tallies(found, 2)[0].shares
    (0.875, 0.125)
    """
    grouped: dict[str, list[Result]] = defaultdict(list)
    for result in results:
        grouped[result.token].append(result)
    rows = [_tally(token, some, seats) for token, some in grouped.items()]
    return tuple(sorted(rows, key=lambda tally: (-tally.count, tally.token)))


def _tally(token: str, results: list[Result], seats: int) -> Tally:
    count = sum(result.count for result in results)
    won = [0] * seats
    shares = [0.0] * seats
    for result in results:
        winners = result.winners or range(seats)
        for seat in winners:
            shares[seat] += result.count / len(winners)
        for seat in result.winners:
            won[seat] += result.count
    return Tally(
        token=token,
        count=count,
        won=tuple(won),
        drawn=sum(result.count for result in results if not result.winners),
        shares=tuple(share / count for share in shares),
    )
