"""The history of the ratios to the peers: a file with all runs, and its plot in the docs."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, Self

import matplotlib as mpl
from matplotlib.figure import Figure
from matplotlib.ticker import LogLocator, NullLocator

import tavola
from tavola.server import games
from tavola.view import Text

ROOT = Path(__file__).parent.parent
FILE = ROOT / "benches/history.csv"
PLOT = ROOT / "docs/images/benchmarks.svg"

BENCHMARKS = {
    "Random play": "Rules",
    "Tree search": "Search",
    "One state from Python": "One state from Python",
    "Vector steps": "Vector environments",
    "OpenSpiel's MCTSBot": "Frameworks",
    "Serving": "Serving",
    "Search in": "WebAssembly",
}
"""The benchmark of a table, by the start of its title."""

STYLES = (("#b5651d", "o"), ("#1f6f8b", "s"), ("#5b8c3a", "^"), ("#8e4585", "D"))
"""Colour and marker of each game."""

COLUMNS = 3


class Row(NamedTuple):
    """A ratio to the peer.

    Attributes:
        date: The day of the run, as `2026-11-28`.
        commit: The measured commit.
        benchmark: The name of the benchmark.
        game: The name of the game.
        variant: What is special about it; empty for the default.
        ratio: The ratio to the peer.
    """

    date: str
    commit: str
    benchmark: str
    game: str
    variant: str
    ratio: float

    @classmethod
    def parse(cls, cells: Sequence[str]) -> Self:
        """Return the row of a line of the file.

        Raises:
            ValueError: The line has not six cells, or its ratio is no number.
        """
        if len(cells) != len(cls._fields):
            raise ValueError(f"A row has {len(cls._fields)} cells, but this one {len(cells)}.")
        day, commit, benchmark, game, variant, ratio = cells
        return cls(day, commit, benchmark, game, variant, float(ratio))


def read() -> list[Row]:
    """Return all rows of the file, the oldest first."""
    with FILE.open(newline="") as file:
        _, *rows = csv.reader(file)
    return [Row.parse(cells) for cells in rows]


def ratios(table: dict[str, Any]) -> Iterable[tuple[str, str, str, float]]:
    """Return benchmark, game, variant and ratio for each row of a table that has a peer.

    Args:
        table: A measurement as `--json` writes it.
    """
    title = table["title"]
    benchmark = next((name for start, name in BENCHMARKS.items() if title.startswith(start)), None)
    scores = [(one["name"], one["ratio"]) for one in table.get("scores", ()) if one["ours"]]
    figures = [
        (one["name"], one["value"])
        for one in table.get("figures", ())
        if one["unit"].startswith("times ")
    ]
    for name, ratio in scores + figures:
        game = next((game for game in tavola.games() if game in f"{title} {name}"), None)
        if benchmark is not None and game is not None:
            yield benchmark, game, name.partition(f"{game}, ")[2], ratio


def record(tables: Iterable[dict[str, Any]], day: date, commit: str) -> list[Row]:
    """Append the ratios of a run to the file, draw the plot, and return the new rows."""
    rows = [
        Row(day.isoformat(), commit, benchmark, game, variant, float(f"{ratio:.3g}"))
        for table in tables
        for benchmark, game, variant, ratio in ratios(table)
    ]
    with FILE.open("a", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    PLOT.write_text(plot(read()))
    return rows


def plot(rows: Sequence[Row]) -> str:
    """Return the plot of the default variants as SVG: a panel for each benchmark."""
    style: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": "benchmarks",
        "font.size": 9.0,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "legend.frameon": False,
    }
    names = [name for name in BENCHMARKS.values() if any(row.benchmark == name for row in rows)]
    days = [date.fromisoformat(row.date).toordinal() for row in rows]
    first, last = min(days), max(days)
    with mpl.rc_context(style):
        height = 2.2 * -(-len(names) // COLUMNS) + 0.4
        figure = Figure(figsize=(8.4, height), layout="constrained")
        for number, name in enumerate(names):
            axes = figure.add_subplot(-(-len(names) // COLUMNS), COLUMNS, number + 1)
            for game, (colour, marker) in zip(tavola.games(), STYLES, strict=True):
                mine = [
                    row
                    for row in rows
                    if (row.benchmark, row.game, row.variant) == (name, game, "")
                ]
                axes.plot(
                    [date.fromisoformat(row.date).toordinal() for row in mine],
                    [row.ratio for row in mine],
                    color=colour,
                    marker=marker,
                    markersize=4,
                    label=games.format_text(game, "en", Text("game.title")),
                )
            axes.set_title(name, fontsize=10, loc="left")
            axes.set_yscale("log")
            axes.yaxis.set_major_formatter("{x:g}")
            axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
            axes.yaxis.set_minor_locator(NullLocator())
            axes.axhline(1, color="#888888", linewidth=0.8, linestyle=":")
            axes.set_xlim(first - 0.5, last + 0.5)
            axes.set_xticks(
                [first, last], [f"{date.fromordinal(day):%d %b}" for day in (first, last)]
            )
            axes.tick_params(labelsize=8)
        figure.legend(
            *figure.axes[0].get_legend_handles_labels(), loc="outside upper left", ncols=4
        )
        written = io.StringIO()
        figure.savefig(written, format="svg", metadata={"Date": None, "Creator": None})
    return written.getvalue()
