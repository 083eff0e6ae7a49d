"""The tables of docs/reference/observations.md say what `Game.observation_space` says."""

from __future__ import annotations

import tavola
from scripts.observation_tables import FIGURES, PAGE, written


def test_the_tables_are_those_of_the_games() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert set(FIGURES) == set(tavola.games())
    assert written(page) == page, "run scripts/observation_tables.py"
    for name in FIGURES:
        for plane in tavola.load(name).observation_space.planes:
            assert f"| `{plane.name}` | {plane.kind} | {plane.high} | {plane.about} |" in page
