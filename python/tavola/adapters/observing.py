"""The observation of a state: the features of its evaluation, until states have planes."""

from __future__ import annotations

from typing import Any

import numpy as np

from tavola._core import State

__all__ = ["observe"]


def observe(
    state: State, seat: int, *, layout: str = "planes", dtype: str = "float32", out: Any = None
) -> Any:
    """Return the observation of a seat.

    Args:
        state: The state.
        seat: The seat that observes.
        layout: The layout.
        dtype: The data type.
        out: An array to fill in place of a new one.
    """
    seats = [*range(seat, state.game.seats), *range(seat)]
    values = np.ones(2 + state.game.seats * len(state.game.weights), dtype)
    values[1:] = 0
    values[1] = seat == state.to_act
    features = [by_seat[other] for by_seat in state.features.values() for other in seats]
    values[2 : 2 + len(features)] = np.clip(features, 0, 255)
    if out is None:
        return values
    out[...] = values
    return out
