"""The tables and figures of docs/reference/observations.md are those of the games."""

from __future__ import annotations

import numpy as np
import pytest

import tavola
from scripts.observation_tables import FIGURES, IMAGES, PAGE, figure, position, written


def test_the_tables_are_those_of_the_games() -> None:
    page = PAGE.read_text(encoding="utf-8")
    assert set(FIGURES) == set(tavola.games())
    assert written(page) == page, "run scripts/observation_tables.py"
    for name in FIGURES:
        for plane in tavola.load(name).observation_space.planes:
            assert f"| `{plane.name}` | {plane.kind} | {plane.high} | {plane.about} |" in page


@pytest.mark.parametrize("name", FIGURES)
def test_the_figures_are_current_and_show_something(name: str) -> None:
    drawn = (IMAGES / f"{name}.svg").read_text(encoding="utf-8")
    assert figure(name) == drawn, "run scripts/observation_tables.py"
    assert f"../images/observations/{name}.svg" in PAGE.read_text(encoding="utf-8")
    state = position(name)
    assert not state.is_terminal
    values = dict(
        zip(
            [plane.name for plane in state.game.observation_space.planes],
            state.observation(dtype=np.uint8),
            strict=True,
        )
    )
    for plane in FIGURES[name][1]:
        assert values[plane].any(), plane
        assert f">{plane}</text>" in drawn
