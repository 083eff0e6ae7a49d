"""Small schedules for the tests."""

from __future__ import annotations

from typing import Any

import tavola
from tavola.tournament import Schedule


def plan(game: str = "potlatch", **changes: Any) -> Schedule:
    """A plan; everything can be given otherwise."""
    options = changes.pop("options", {})
    values: dict[str, Any] = {
        "engines": ("random", "random"),
        "games": 6,
        "plies": 3,
        "seed": 5,
        **changes,
    }
    return Schedule(game=game, options=tavola.load(game, **options).options, **values)
