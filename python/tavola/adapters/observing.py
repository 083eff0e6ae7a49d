"""Observations for environments, with their layout and data type by name."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tavola._core import Game, State

__all__ = ["LAYOUTS", "TYPES", "check", "highest", "observe"]

LAYOUTS = ("planes", "flat")
TYPES = ("float32", "uint8")


def check(layout: str, dtype: str) -> None:
    """Check the layout and the data type of observations.

    Args:
        layout: The layout, "planes" or "flat".
        dtype: The data type, "float32" or "uint8".

    Raises:
        ValueError: If one of them is unknown; names the known ones.
    """
    if layout not in LAYOUTS:
        raise ValueError(f"observation is {' or '.join(LAYOUTS)}, not {layout!r}")
    if dtype not in TYPES:
        raise ValueError(f"dtype is {' or '.join(TYPES)}, not {dtype!r}")


def observe(
    state: State, seat: int, *, layout: str, dtype: str, out: NDArray[Any] | None = None
) -> NDArray[Any]:
    """Return the observation of a seat.

    Args:
        state: The state.
        seat: The seat that observes.
        layout: The layout, "planes" or "flat".
        dtype: The data type, "float32" or "uint8".
        out: An array of this type to fill in place of a new one.

    Returns:
        `out`, or a new array.
    """
    # The names are checked where an environment is made.
    named: Any = state
    seen: NDArray[Any] = named.observation(seat, layout=layout, dtype=dtype, out=out)
    return seen


def highest(game: Game, *, layout: str, dtype: str) -> NDArray[Any]:
    """Return the highest value of each number of an observation; the lowest is 0.

    Args:
        game: The game.
        layout: The layout, "planes" or "flat".
        dtype: The data type, "float32" or "uint8".

    Returns:
        An array with the shape and the data type of an observation.
    """
    space: Any = game.observation_space
    high: NDArray[Any] = space.high(layout)
    return np.ones(high.shape, dtype) if dtype == "float32" else high
