"""The eight levels of each game, from a beginner to the strongest engine."""

from __future__ import annotations

from tavola import _core
from tavola._core import Game

__all__ = ["levels"]


def levels(game: str | Game) -> tuple[str, ...]:
    """Return the engine specifications of the levels of a game, the weakest first.

    docs/reference/levels.md says how strong each is. Every name can be given to
    `tavola.engine`, as can `level:1` to `level:8`. The last level plays with `Game.network`, the
    network of the game for its options. Without one it is the engine `classic`.

    Args:
        game: The game, or its name for the default options.

    Returns:
        Eight specifications for `tavola.engine`; the last one is the strongest.

    Raises:
        UnknownGame: If there is no game of this name.

    >>> import tavola
    >>> len(tavola.levels("potlatch"))
    8
    """
    return _core._levels(game)
