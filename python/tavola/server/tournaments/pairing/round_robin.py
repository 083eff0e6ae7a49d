"""The rounds of a round robin: the circle method, with balanced seats."""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[int, int]


def round_count(players: int, *, double: bool) -> int:
    """Return the number of rounds.

    >>> round_count(5, double=False)
    5
    """
    return (players - 1 + players % 2) * (2 if double else 1)


def round_pairs(players: Sequence[int], number: int) -> tuple[list[Pair], int | None]:
    """Return the pairs of a round, the first seat first, and the player without an opponent.

    Args:
        players: All players, always in the same order.
        number: The round, from 0 on. In a second cycle the seats are exchanged.
    """
    odd = len(players) % 2 == 1
    circle = len(players) if odd else len(players) - 1
    turn, again = number % circle, number // circle % 2 == 1
    pairs: list[Pair] = []
    for distance in range(1, (circle - 1) // 2 + 1):
        one = players[(turn + distance) % circle]
        other = players[(turn - distance) % circle]
        pairs.append((one, other) if distance % 2 else (other, one))
    alone = players[turn]
    if not odd:
        fixed = players[circle]
        pairs.append((alone, fixed) if turn % 2 else (fixed, alone))
    if again:
        pairs = [(second, first) for first, second in pairs]
    return pairs, alone if odd else None
