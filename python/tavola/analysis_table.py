"""The result of a search as a table, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

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
    seats = "".join(f"<th>Seat {seat}</th>" for seat in range(len(analysis.shares)))
    rows = "".join(_row(line) for line in analysis.lines[:MOST_LINES])
    hidden = len(analysis.lines) - MOST_LINES
    more = f", {hidden} more actions" if hidden > 0 else ""
    return (
        f"<table><caption>{analysis.nodes:,} nodes, {analysis.seconds:.2f} s{more}</caption>"
        f"<thead><tr><th>Action</th>{seats}<th>Visits</th><th>Best line</th></tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def _row(line: _Line) -> str:
    shares = "".join(_share(share) for share in line.shares)
    shown = line.variation[:LONGEST_VARIATION]
    variation = escape(" ".join(shown)) + (" …" if len(shown) < len(line.variation) else "")
    proven = " (proven)" if line.proven else ""
    return (
        f"<tr><th>{escape(line.action)}{proven}</th>{shares}<td>{line.visits:,}</td>"
        f'<td style="text-align: left"><code>{variation}</code></td></tr>'
    )


def _share(share: float) -> str:
    """Return a cell with a share as a number and a bar."""
    part = f"{100 * share:.1f}%"
    bar = f"linear-gradient(90deg, rgb(32 104 154 / 0.3) {part}, transparent {part})"
    return f'<td style="min-width: 6em; background: {bar}">{100 * share:.1f} %</td>'
