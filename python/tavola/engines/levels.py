"""The eight levels of each game, from a beginner to the strongest engine."""

from __future__ import annotations

import msgspec

from tavola import _core
from tavola._core import Game
from tavola.errors import EngineError, Message, quoted

__all__ = ["classic_specification", "level_specification", "levels"]


class _Described(msgspec.Struct, frozen=True):
    levels: tuple[str, ...]


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
    return _core._levels(_core.load(game) if isinstance(game, str) else game)


def classic_specification(game: str) -> str:
    """Return the specification of the engine `classic`: the last level without a network."""
    return msgspec.json.decode(_core.describe(game), type=_Described).levels[-1]


def level_specification(text: str, number: str, game: Game) -> str:
    """Return the engine specification of a level of a game.

    Args:
        text: The whole text, such as `level:3`, for the message of an error.
        number: The number of the level, from 1.
        game: The game.

    Raises:
        EngineError: If the game has no such level.
    """
    specifications = levels(game)
    plain = number.isascii() and number.isdigit() and len(number) <= 19
    if not plain or not 1 <= int(number) <= len(specifications):
        raise EngineError(
            text,
            Message(
                "unknown level {number}; levels: 1 to {last}",
                number=quoted(number),
                last=len(specifications),
            ),
        )
    return specifications[int(number) - 1]
