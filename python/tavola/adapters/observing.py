"""SEAM: observations until State.observation is there."""

from __future__ import annotations

from typing import Any

import numpy as np

from tavola._core import State


def observe(
    state: State, seat: int, *, layout: str = "planes", dtype: str = "float32", out: Any = None
) -> Any:
    """Observe."""
    values = np.zeros(1 + 2 * state.game.seats * max(1, len(state.game.weights)), dtype)
    flat = np.array([v for f in state.features.values() for v in f], dtype)
    values[0] = 1
    values[1 : 1 + len(flat)] = np.clip(flat, 0, 255)
    if out is not None:
        out[...] = values
        return out
    return values
