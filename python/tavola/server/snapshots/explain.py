"""Explanations of illegal moves, in the game's words."""

from __future__ import annotations

import tavola
from tavola import view as views
from tavola.server.errors import RequestError
from tavola.server.schema.responses import Explanation


def explain_cells(state: tavola.State, cells: list[str], turn: int | None) -> Explanation:
    """Return why no action is possible with these cells, in order, and this rotation.

    Raises:
        RequestError: `unknown-cell`.
    """
    # Touching a part of something touches the whole.
    wholes = {
        cell.id: cell.part_of or cell.id for area in views.view(state).areas for cell in area.cells
    }
    for cell in cells:
        if cell not in wholes:
            raise RequestError("unknown-cell", cell=cell)
    return Explanation(views.refusal_of_touch(state, [wholes[cell] for cell in cells], turn))
