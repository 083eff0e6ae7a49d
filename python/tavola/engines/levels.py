"""The eight levels of each game, from a beginner to the strongest engine."""

from __future__ import annotations

from functools import cache

import msgspec

from tavola import _core

__all__ = ["levels"]


class _Described(msgspec.Struct, frozen=True):
    levels: tuple[str, ...]


@cache
def levels(game: str) -> tuple[str, ...]:
    """Returns the engine specifications of the levels of a game, the weakest first.

    docs/reference/levels.md says how strong each is. Every name can be given to
    `tavola.engine`, as can `level:1` to `level:8`.

    Args:
        game: The name of the game.

    Returns:
        Eight specifications for `tavola.engine`; the last one is the strongest.

    Raises:
        UnknownGame: If there is no game of this name.

    >>> import tavola
    >>> len(tavola.levels("potlatch"))
    8
    """
    return msgspec.json.decode(_core.describe(game), type=_Described).levels
