"""What is held of somebody's strength."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """What is held of somebody's strength.

    Attributes:
        value: The best guess.
        deviation: How far off that may be: with 95 in 100, not more than twice this.
        volatility: How much their strength comes and goes (Glicko-2 only).
    """

    value: float
    deviation: float
    volatility: float = 0.0
