"""The levels: eight engines of each game, from a child's first game to the strongest there is."""

from __future__ import annotations

from functools import cache

import msgspec

from tavola import _core

__all__ = ["levels"]


class _Described(msgspec.Struct, frozen=True):
    levels: tuple[str, ...]


@cache
def levels(game: str) -> tuple[str, ...]:
    """The names of a game's engines by strength, the weakest first.

    docs/reference/levels.md says how strong each is. Every name can be given to
    `tavola.engine`, as can `level:1` to `level:8`.

    Args:
        game: The game's name.

    Raises:
        UnknownGame: If no game is called so.

    >>> import tavola
    >>> len(tavola.levels("potlatch"))
    8
    """
    return msgspec.json.decode(_core.describe(game), type=_Described).levels
