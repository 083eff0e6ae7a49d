"""The result of a search as a table, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from tavola.page_template import render

__all__ = ["analysis_table"]

MOST_LINES = 10
LONGEST_VARIATION = 6


class _Line(Protocol):
    """The part of a line that the table needs."""

    @property
    def action(self) -> str: ...
    @property
    def shares(self) -> tuple[float, ...]: ...
    @property
    def visits(self) -> int: ...
    @property
    def variation(self) -> tuple[str, ...]: ...
    @property
    def proven(self) -> bool: ...


class _Analysis(Protocol):
    """The part of an analysis that the table needs."""

    @property
    def shares(self) -> tuple[float, ...]: ...
    @property
    def lines(self) -> Sequence[_Line]: ...
    @property
    def nodes(self) -> int: ...
    @property
    def seconds(self) -> float: ...


def analysis_table(analysis: _Analysis) -> str:
    """Return the best lines of a search as an HTML table.

    Args:
        analysis: The result of `tavola.search`.

    Returns:
        A table with the share of each seat, the visits and the best line of each action.
    """
    return render(
        "analysis_table.html",
        analysis=analysis,
        lines=analysis.lines[:MOST_LINES],
        hidden=len(analysis.lines) - MOST_LINES,
        longest=LONGEST_VARIATION,
    )
