"""The figures of a report as SVG, with the colours and the font of the page."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import matplotlib
import matplotlib.patches
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from tavola.report.course import Course
from tavola.tournament.statistics import Estimate

__all__ = ["Point", "bars", "course", "curves", "dots", "histogram", "series", "stacks"]

WIDTH = 5.2
"""The width of a figure in inches of 72 points."""

INK, MUTED, GRID, LINE = "#010101", "#020202", "#030303", "#040404"
SETTINGS = ("#0a0101", "#0b0101", "#0c0101", "#0d0101")
PARTS = ("#0a0202", "#0b0202", "#0c0202", "#0d0202", "#0e0202", "#0f0202")
VARIABLES = {
    INK: "--ink",
    MUTED: "--muted",
    GRID: "--grid",
    LINE: "--line",
    **{colour: f"--setting-{number}" for number, colour in enumerate(SETTINGS)},
    **{colour: f"--part-{number}" for number, colour in enumerate(PARTS)},
}
"""The page's variable for each colour of a figure."""


def percent(value: float) -> str:
    """Return a share as a percentage without decimals.

    >>> percent(0.305), percent(-0.001), percent(-0.02)
    ('30 %', '0 %', '−2 %')
    """
    return f"{100 * value:z.0f} %".replace("-", "−")


def _tick(value: float, _: object) -> str:
    """Return a share as the label of a tick, with a decimal where it is needed."""
    return f"{100 * value:.4g} %"


@contextmanager
def _figure(height: float, name: str, output: list[str]) -> Iterator[Axes]:
    """Draw a figure and append its SVG."""
    style: Any = {
        "svg.fonttype": "none",
        "svg.hashsalt": name,
        "font.size": 11.0,
        "text.color": INK,
        "axes.edgecolor": LINE,
        "axes.labelcolor": MUTED,
        "axes.labelsize": 10.0,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "xtick.color": LINE,
        "ytick.color": LINE,
        "xtick.labelcolor": MUTED,
        "ytick.labelcolor": INK,
        "xtick.labelsize": 10.0,
        "ytick.labelsize": 10.0,
        "legend.frameon": False,
        "legend.fontsize": 10.0,
    }
    # Japanese is drawn by the browser, with its own font.
    with matplotlib.rc_context(style), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        figure = Figure(figsize=(WIDTH, height), layout="constrained")
        figure.patch.set_alpha(0.0)
        axes = figure.add_subplot()
        axes.patch.set_alpha(0.0)
        yield axes
        written = io.StringIO()
        figure.savefig(
            written, format="svg", metadata={"Date": None, "Creator": None, "Format": None}
        )
    output.append(_for_page(written.getvalue(), name))


def _for_page(svg: str, name: str) -> str:
    """Return an SVG for the page: no header, no fixed size or font, and the page's colours."""
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg[svg.index("<svg") :], flags=re.DOTALL)
    head, rest = svg.split(">", 1)
    box = re.search(r'viewBox="[^"]+"', head)
    assert box is not None
    svg = f'<svg {box[0]} role="img" aria-hidden="true">{rest}'
    svg = re.sub(r"font-family: [^;\"]+;?|font: [\d.]+px [^;\"]+;?", _keep_size, svg)
    svg = svg.replace("xlink:href", "href")
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', svg)
    for colour, variable in VARIABLES.items():
        svg = svg.replace(colour, f"var({variable})")
    return re.sub(r"\n\s*", "\n", svg).strip()


def _keep_size(match: re.Match[str]) -> str:
    size = re.match(r"font: ([\d.]+px)", match[0])
    return f"font-size: {size[1]};" if size else ""


def dots(
    name: str,
    rows: Sequence[tuple[str, Estimate, int]],
    *,
    reference: float,
    label: str,
) -> str:
    """Draw shares with their intervals, one row each, around a reference line.

    Args:
        name: A name of the figure, unique in the page.
        rows: The label, the estimate, and the index of the setting of each row, from the top.
        reference: The share to compare with.
        label: The label of the axis.
    """
    output: list[str] = []
    with _figure(0.75 + 0.27 * len(rows), name, output) as axes:
        axes.axvline(reference, color=MUTED, linewidth=1.0, linestyle=(0, (3, 3)))
        for place, (_, estimate, setting) in enumerate(rows):
            colour = SETTINGS[setting % len(SETTINGS)]
            axes.plot(
                [estimate.low, estimate.high],
                [place, place],
                color=colour,
                linewidth=2.5,
                solid_capstyle="round",
                alpha=0.55,
            )
            axes.plot([estimate.value], [place], "o", color=colour, markersize=6.5)
        axes.set_yticks(range(len(rows)), [row[0] for row in rows])
        axes.set_ylim(len(rows) - 0.4, -0.6)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        low = min([reference, *(row[1].low for row in rows)])
        high = max([reference, *(row[1].high for row in rows)])
        margin = max(0.03, 0.08 * (high - low))
        axes.set_xlim(max(-0.01, low - margin), min(1.01, high + margin))
        axes.xaxis.set_major_formatter(_tick)
        axes.grid(axis="x", color=GRID, linewidth=0.8)
        axes.set_xlabel(label)
    return output[0]


def stacks(name: str, rows: Sequence[tuple[str, Sequence[float]]], names: Sequence[str]) -> str:
    """Draw one stacked bar per row. Parts are from 0 to 1.

    Args:
        name: A name of the figure, unique in the page.
        rows: The label and the parts of each row, from the top.
        names: The names of the parts.
    """
    output: list[str] = []
    lines = -(-len(names) // 2)
    with _figure(0.55 + 0.42 * len(rows) + 0.24 * lines, name, output) as axes:
        for place, (_, row) in enumerate(rows):
            left = 0.0
            for number, part in enumerate(row):
                width = max(0.0, part)
                axes.barh(place, width, left=left, height=0.62, color=PARTS[number % len(PARTS)])
                if width >= 0.07:
                    axes.text(
                        left + width / 2,
                        place,
                        percent(part),
                        ha="center",
                        va="center",
                        fontsize=10.0,
                        color="#ffffff",
                    )
                left += width
        axes.set_yticks(range(len(rows)), [row[0] for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.set_xlim(0.0, 1.0)
        axes.tick_params(axis="both", length=0)
        axes.set_xticks([])
        for side in ("left", "bottom"):
            axes.spines[side].set_visible(False)
        handles = [
            matplotlib.patches.Patch(color=PARTS[number % len(PARTS)], label=text)
            for number, text in enumerate(names)
        ]
        axes.legend(
            handles=handles,
            loc="upper left",
            bbox_to_anchor=(0.0, 0.0),
            ncols=2,
            handlelength=0.9,
            columnspacing=1.2,
            borderaxespad=0.2,
        )
    return output[0]


def histogram(
    name: str, settings: Sequence[tuple[str, dict[int, int]]], *, label: str, width: int
) -> str:
    """Draw how many games have each length, as a part of all games.

    Args:
        name: A name of the figure, unique in the page.
        settings: The label of each setting, and its number of games by length.
        label: The label of the axis.
        width: The width of a bin.
    """
    output: list[str] = []
    with _figure(2.1, name, output) as axes:
        for number, (text, counts) in enumerate(settings):
            total = sum(counts.values())
            bins: dict[int, int] = {}
            for value, count in counts.items():
                bins[value // width] = bins.get(value // width, 0) + count
            places = range(min(bins), max(bins) + 1)
            edges = [place * width for place in [*places, places[-1] + 1]]
            axes.stairs(
                [bins.get(place, 0) / total for place in places],
                edges,
                fill=len(settings) == 1,
                color=SETTINGS[number % len(SETTINGS)],
                linewidth=2.0,
                label=text,
            )
        axes.yaxis.set_major_formatter(_tick)
        axes.grid(axis="y", color=GRID, linewidth=0.8)
        axes.set_xlabel(label)
        axes.set_xlim(left=0)
        axes.tick_params(axis="y", labelcolor=MUTED)
        if len(settings) > 1:
            axes.legend(loc="upper right")
    return output[0]


def curves(name: str, settings: Sequence[tuple[str, Sequence[float]]], *, label: str) -> str:
    """Draw curves over the progress of the game.

    Args:
        name: A name of the figure, unique in the page.
        settings: The label and the curve of each setting.
        label: The label of the axis.
    """
    output: list[str] = []
    with _figure(2.1, name, output) as axes:
        for number, (text, curve) in enumerate(settings):
            at = [(place + 0.5) / len(curve) for place in range(len(curve))]
            axes.plot(at, curve, color=SETTINGS[number % len(SETTINGS)], linewidth=2.2, label=text)
        axes.set_ylim(bottom=0)
        _progress(axes, label, len(settings) > 1)
        axes.tick_params(axis="y", labelcolor=MUTED)
    return output[0]


class Point(NamedTuple):
    """A point of a series.

    Attributes:
        at: When it was measured.
        value: The value.
        low: The lower end of its interval.
        high: The upper end of its interval.
    """

    at: float
    value: float
    low: float
    high: float


def series(name: str, points: Sequence[Point], *, label: str) -> str:
    """Draw values over time, with their intervals.

    Args:
        name: A name of the figure, unique in the page.
        points: The points in their order.
        label: The label of the axis of time.
    """
    output: list[str] = []
    with _figure(2.1, name, output) as axes:
        at, values = [point.at for point in points], [point.value for point in points]
        measured = [point for point in points if point.high > point.low]
        axes.vlines(
            [point.at for point in measured],
            [point.low for point in measured],
            [point.high for point in measured],
            color=SETTINGS[0],
            linewidth=2.5,
            alpha=0.45,
        )
        marker = "o" if measured or len(points) == 1 else ""
        axes.plot(at, values, marker=marker, color=SETTINGS[0], linewidth=2.2, markersize=5)
        axes.set_xlim(left=0.0)
        axes.yaxis.set_major_formatter("{x:,.6g}")
        axes.grid(axis="y", color=GRID, linewidth=0.8)
        axes.set_xlabel(label)
        axes.tick_params(axis="y", labelcolor=MUTED)
    return output[0]


def course(name: str, settings: Sequence[tuple[str, Course]], *, label: str) -> str:
    """Draw the share of the later winner over the course of the game.

    Args:
        name: A name of the figure, unique in the page.
        settings: The label and the course of each setting.
        label: The label of the axis.
    """
    output: list[str] = []
    with _figure(2.3, name, output) as axes:
        for number, (text, one) in enumerate(settings):
            at = [place / (len(one.mean) - 1) for place in range(len(one.mean))]
            colour = SETTINGS[number % len(SETTINGS)]
            axes.fill_between(at, one.low, one.high, color=colour, alpha=0.14, linewidth=0)
            axes.plot(at, one.mean, color=colour, linewidth=2.2, label=text)
        axes.set_ylim(0.0, 1.02)
        axes.yaxis.set_major_formatter(_tick)
        _progress(axes, label, len(settings) > 1)
        axes.tick_params(axis="y", labelcolor=MUTED)
    return output[0]


def _progress(axes: Axes, label: str, legend: bool) -> None:
    axes.set_xlim(0.0, 1.0)
    axes.xaxis.set_major_formatter(_tick)
    axes.grid(axis="y", color=GRID, linewidth=0.8)
    axes.set_xlabel(label)
    if legend:
        axes.legend(loc="best")


def bars(name: str, rows: Sequence[tuple[str, Sequence[float]]], *, label: str) -> str:
    """Draw horizontal bars, one per setting in each row.

    Args:
        name: A name of the figure, unique in the page.
        rows: The label of each row, and its number for each setting.
        label: The label of the axis.
    """
    output: list[str] = []
    count = len(rows[0][1])
    with _figure(0.6 + (0.14 + 0.15 * count) * len(rows), name, output) as axes:
        height = 0.75 / count
        for place, (_, values) in enumerate(rows):
            for number, value in enumerate(values):
                axes.barh(
                    place + (number - (count - 1) / 2) * height,
                    value,
                    height=height * 0.92,
                    color=SETTINGS[number % len(SETTINGS)],
                )
        axes.set_yticks(range(len(rows)), [row[0] for row in rows])
        axes.set_ylim(len(rows) - 0.5, -0.5)
        axes.tick_params(axis="y", length=0)
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x", color=GRID, linewidth=0.8)
        axes.set_xlabel(label)
    return output[0]
