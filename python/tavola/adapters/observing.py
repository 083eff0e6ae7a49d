"""Observations for environments: planes, or the features of a game that has no planes.

`tavola.State.observation` returns the planes.
"""

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
        `out`, or a new array. It has one dimension for a game without planes.
    """
    if _space(state.game) is not None:
        seen: NDArray[Any] = state.observation(seat, layout=layout, dtype=dtype, out=out)  # type: ignore[attr-defined, unused-ignore]
        return seen
    values = _features(state, seat).astype(dtype)
    if out is None:
        return values
    out[...] = values
    return out


def highest(game: Game, *, layout: str, dtype: str) -> NDArray[Any]:
    """Return the highest value of each number of an observation; the lowest is 0.

    Args:
        game: The game.
        layout: The layout, "planes" or "flat".
        dtype: The data type, "float32" or "uint8".

    Returns:
        An array with the shape and the data type of an observation.
    """
    space = _space(game)
    if space is None:
        return np.full(len(_features(game.start(), 0)), 255, dtype)
    high: NDArray[Any] = space.high(layout)
    return np.ones(high.shape, dtype) if dtype == "float32" else high


def _space(game: Game) -> Any:
    """Return the observation space of a game; None without planes."""
    try:
        return game.observation_space  # type: ignore[attr-defined, unused-ignore]
    except (AttributeError, ValueError):
        return None


def _features(state: State, seat: int) -> NDArray[np.float64]:
    """Return 1, whether the seat is to act, and the features of every seat, the own first."""
    seats = [*range(seat, state.game.seats), *range(seat)]
    values = np.zeros(2 + state.game.seats * len(state.game.weights))
    values[:2] = 1, seat == state.to_act
    features = [by_seat[other] for by_seat in state.features.values() for other in seats]
    values[2 : 2 + len(features)] = np.clip(features, 0, 255)
    return values
