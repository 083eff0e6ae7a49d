"""The board of every game in the terminal is complete at 100 and at 80 columns."""

from __future__ import annotations

import random
import re

import pytest
from rich.console import Console

import tavola
from tavola.cli.board import painter
from tests import references, rule_books

GAMES_EACH = 2


def positions(name: str) -> list[tavola.State]:
    """Some positions of random games, under each combination of options."""
    rng = random.Random(name)
    found = []
    for options in references.combinations(name):
        for _ in range(GAMES_EACH):
            state = tavola.load(name, **options).start()
            for _ in range(rng.randrange(60)):
                tokens = references.following(state)
                state = state.play(rng.choice(tokens)) if tokens else state
            found.append(state)
    return found


@pytest.mark.long
@pytest.mark.parametrize("name", tavola.games())
@pytest.mark.parametrize("columns", [80, 100])
def test_every_cell_is_drawn_in_one_piece(name: str, columns: int) -> None:
    for state in positions(name):
        view = tavola.view.view(state)
        console = Console(width=columns, color_system=None)
        with console.capture() as captured:
            console.print(painter(name, "en", unicode=True).board(view))
        lines = captured.get().splitlines()
        assert max(map(len, lines)) <= columns
        for line in lines:
            assert line.count("[") == line.count("]"), line
        drawn = captured.get()
        assert [cell for cell in rule_books.cells(state) if cell not in drawn] == []


def test_the_legend_tells_each_mark_once_and_no_numbers() -> None:
    legends = [
        painter("montana", "en", unicode=True).legend(tavola.view.view(state)).plain
        for state in positions("montana")
    ]
    assert any("double settlement" in legend for legend in legends)
    for legend in legends:
        assert not re.search(r"\d here", legend)
        assert legend.count("unavailable") <= 1
        assert legend.count("double settlement") <= 1


@pytest.mark.parametrize(("columns", "beside"), [(80, True), (40, False)])
def test_what_stands_beside_the_board_is_drawn_there_if_there_is_room(
    columns: int, beside: bool
) -> None:
    console = Console(width=columns, color_system=None)
    view = tavola.view.view(tavola.load("proteus").start())
    with console.capture() as captured:
        console.print(painter("proteus", "en", unicode=True).board(view))
    row = re.compile(r"hand-0-c.*\ba3\b.*hand-1-c")
    assert any(map(row.search, captured.get().splitlines())) == beside
