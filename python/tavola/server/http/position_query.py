"""The query parameters of a position: the actions tried in it, and what a player selects."""

from __future__ import annotations

from typing import Annotated

from litestar.params import QueryParameter

from tavola.server.schema.requests import LINE_LENGTH

TriedActions = Annotated[list[str] | None, QueryParameter(max_items=LINE_LENGTH)]
"""The actions that a player tries from a position on."""

TouchedCells = Annotated[list[str] | None, QueryParameter(max_items=16)]
"""The selected cells, in order."""

Rotation = Annotated[int | None, QueryParameter(ge=0, lt=360)]
"""The rotation of the piece, clockwise in degrees."""

ActionToken = Annotated[str, QueryParameter(max_length=200)]
"""The token of an action."""
