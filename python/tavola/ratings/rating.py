"""The rating of a player."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """The rating of a player.

    Attributes:
        value: The estimated strength.
        deviation: The standard error of the value; the 95 % interval is plus or minus twice this.
        volatility: The expected fluctuation of the strength (Glicko-2 only).
    """

    value: float
    deviation: float
    volatility: float = 0.0
