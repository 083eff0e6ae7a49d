"""Training targets: the results of `tavola.search_batch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Targets(NamedTuple):
    """The results of searches as training targets, one row for each position."""

    policies: NDArray[np.float32]
    """The probability of each action id, float32 (B, action_count); 0 where no seat acts."""

    values: NDArray[np.float32]
    """The expected share of the game of each seat, from 0 to 1, float32 (B, seats)."""
