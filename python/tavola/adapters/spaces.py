"""Games, observation spaces and action ids for the environments of PettingZoo and Gymnasium."""

from __future__ import annotations

import operator
from collections.abc import Mapping
from typing import SupportsIndex

import numpy as np
from gymnasium import spaces

from tavola._core import Game, load
from tavola.adapters.observing import check, highest

__all__ = ["action_token", "loaded", "observation_box"]


def loaded(game: str | Game, options: Mapping[str, str | int]) -> Game:
    """Return a game of a name and options, or the game itself.

    Args:
        game: The name of the game, or a game.
        options: The options of a game that is given by name.

    Raises:
        UnknownGame: If there is no such game.
        OptionError: If the game has no such option or value.
        ValueError: If options are given for a game that has its options.
    """
    if isinstance(game, str):
        return load(game, **options)
    if options:
        raise ValueError(
            f"{game} has its options; give its name to choose {', '.join(sorted(options))}"
        )
    return game


def action_token(game: Game, action: SupportsIndex | None) -> str:
    """Return the token of an action id.

    Args:
        game: The game.
        action: An action id: a whole number of Python or NumPy.

    Raises:
        IndexError: If no action has this id.
        TypeError: If the id is no whole number.
    """
    try:
        number = operator.index(action)  # type: ignore[arg-type]
    except TypeError:
        valid = f"0 to {game.action_count - 1}"
        raise TypeError(f"an action of {game.name} is an id, {valid}, not {action!r}") from None
    if not 0 <= number < game.action_count:
        valid = f"0 to {game.action_count - 1}"
        raise IndexError(f"action ids of {game.name} are {valid}, not {number}")
    return game.actions[number]


def observation_box(game: Game, layout: str, dtype: str) -> spaces.Box:
    """Return the space of the observations of a game.

    Args:
        game: The game.
        layout: The layout of observations, "planes" or "flat".
        dtype: The data type of observations, "float32" or "uint8".

    Raises:
        ValueError: If the layout or the data type is unknown; names the known ones.
    """
    check(layout, dtype)
    high = highest(game, layout=layout, dtype=dtype)
    return spaces.Box(np.zeros_like(high), high, dtype=high.dtype.type)
