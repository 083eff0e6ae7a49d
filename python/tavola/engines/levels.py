"""The eight levels of each game, from a beginner to the strongest engine."""

from __future__ import annotations

from functools import cache

import msgspec

from tavola import _core
from tavola.errors import EngineError, Message, quoted

__all__ = ["level_specification", "levels"]


class _Described(msgspec.Struct, frozen=True):
    levels: tuple[str, ...]


def levels(game: str) -> tuple[str, ...]:
    """Return the engine specifications of the levels of a game, the weakest first.

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
    return _levels(game, _core._registrations())


@cache
def _levels(game: str, registrations: int) -> tuple[str, ...]:
    return msgspec.json.decode(_core.describe(game), type=_Described).levels


def level_specification(text: str, number: str, game: str) -> str:
    """Return the engine specification of a level of a game.

    Args:
        text: The whole text, such as `level:3`, for the message of an error.
        number: The number of the level, from 1.
        game: The name of the game.

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
