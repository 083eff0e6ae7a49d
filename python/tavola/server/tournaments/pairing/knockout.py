"""The rounds of a knockout: a bracket in which the first players meet late."""

from __future__ import annotations

from collections.abc import Sequence

Pair = tuple[int, int]


def bracket(players: Sequence[int]) -> list[int | None]:
    """Return the first round of a bracket: neighbours meet, `None` is a bye.

    >>> bracket([1, 2, 3, 4, 5, 6])
    [1, None, 5, 4, 3, 6, None, 2]
    """
    places = [0]
    while len(places) < len(players):
        count = 2 * len(places)
        folded = ((place, count - 1 - place) for place in places)
        places = [
            one
            for index, pair in enumerate(folded)
            for one in (pair if index % 2 == 0 else reversed(pair))
        ]
    return [players[place] if place < len(players) else None for place in places]


def first_round(players: Sequence[int]) -> tuple[list[Pair], tuple[int, ...]]:
    """Return the pairs of the first round, and the players with a bye."""
    pairs: list[Pair] = []
    byes: list[int] = []
    slots = bracket(players)
    for one, other in zip(slots[::2], slots[1::2], strict=True):
        if one is not None and other is not None:
            pairs.append((one, other))
        else:
            byes += [player for player in (one, other) if player is not None]
    return pairs, tuple(byes)


def next_round(players: Sequence[int], alive: frozenset[int]) -> list[Pair]:
    """Return the pairs of a later round.

    Args:
        players: All players as in the first round.
        alive: The players who have lost no board.
    """
    level = bracket(players)
    while len(level) > 2 * len(alive):
        level = [_winner(pair, alive) for pair in zip(level[::2], level[1::2], strict=True)]
    winners = [_winner(pair, alive) for pair in zip(level[::2], level[1::2], strict=True)]
    met = [player for player in winners if player is not None]
    return list(zip(met[::2], met[1::2], strict=True))


def _winner(pair: tuple[int | None, int | None], alive: frozenset[int]) -> int | None:
    return next((player for player in pair if player in alive), None)
