"""The page of a run: one HTML file with plots of its progress."""

from __future__ import annotations

import html
import itertools
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

from tavola.cli.locales import Translator
from tavola.train.history import RoundReport
from tavola.train.plan import Plan

__all__ = ["progress_page"]

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 56, 12, 12, 28
TICKS = 4
RELOAD_SECONDS = 30


class Point(NamedTuple):
    """A point of a plot: the hour, the value, and the ends of its interval."""

    hour: float
    value: float
    low: float
    high: float


def progress_page(plan: Plan, history: Sequence[RoundReport], words: Translator, title: str) -> str:
    """Return the page of a run. The browser loads it again every 30 seconds.

    Args:
        plan: The plan of the run.
        history: The finished rounds.
        words: The language of the page.
        title: The title of the game.

    Returns:
        An HTML document without links to other files.
    """
    hours = list(itertools.accumulate(report.seconds / 3600 for report in history))
    games = sum(report.games for report in history)
    heading = words("train.title", game=title)
    options = " ".join(f"{name}={value}" for name, value in plan.options.items())
    lead = words(
        "train.lead",
        rounds=len(history),
        games=f"{games:,}",
        samples=f"{sum(report.samples for report in history):,}",
        hours=f"{hours[-1] if hours else 0:.2f}",
    )
    rounds = list(zip(hours, history, strict=True))
    counts = itertools.accumulate(report.games for report in history)
    plots = {
        words("train.elo-title", nodes=plan.anchor_nodes): [
            Point(hour, *one.anchor.elo(2)) for hour, one in rounds if one.anchor is not None
        ],
        words("train.policy-title"): [
            Point(hour, one.policy, one.policy, one.policy) for hour, one in rounds
        ],
        words("train.shares-title"): [
            Point(hour, one.shares, one.shares, one.shares) for hour, one in rounds
        ],
        words("train.games-title"): [
            Point(hour, count, count, count) for hour, count in zip(hours, counts, strict=True)
        ],
    }
    sections = "".join(_section(title, points, words) for title, points in plots.items())
    sheets = (
        files("tavola.report").joinpath("style.css"),
        files("tavola.cli").joinpath("training_page.css"),
    )
    style = "".join(sheet.read_text(encoding="utf-8") for sheet in sheets)
    return f"""<!doctype html>
<html lang="{words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="{RELOAD_SECONDS}">
<title>{_text(heading)}</title>
<style>
{style}</style>
</head>
<body>
<main>
<h1>{_text(heading)}</h1>
<p>{_text(options)}</p>
<p>{_text(lead)}</p>
{sections}{_gates(history, words)}</main>
</body>
</html>
"""


def _text(text: str) -> str:
    return html.escape(text, quote=False)


def _section(title: str, points: Sequence[Point], words: Translator) -> str:
    """Return a plot with its title."""
    shown = f"<p>{_text(words('train.nothing'))}</p>"
    if points:
        shown = _plot(points, title, words("train.hours"))
    return f"<section>\n<h2>{_text(title)}</h2>\n{shown}\n</section>\n"


def _plot(points: Sequence[Point], title: str, unit: str) -> str:
    """Return points as a line in SVG, with their intervals."""
    right = max(point.hour for point in points) or 1.0
    low, high = min(point.low for point in points), max(point.high for point in points)
    high = high if high > low else low + 1.0

    def across(hour: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * hour / right

    def down(value: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - value) / (high - low)

    parts = []
    for tick in range(TICKS + 1):
        value, hour = low + (high - low) * tick / TICKS, right * tick / TICKS
        label = f"{value:,.0f}" if high - low >= 8 else f"{value:.3f}"
        parts.append(
            f'<path class="level" d="M{LEFT} {down(value):.1f}H{WIDTH - RIGHT}"/>'
            f'<text x="{LEFT - 6}" y="{down(value) + 4:.1f}" text-anchor="end">{label}</text>'
        )
        anchor = "end" if tick == TICKS else "middle"
        label = f"{hour:.2f} {unit}" if tick == TICKS else f"{hour:.2f}"
        where = f'x="{across(hour):.1f}" y="{HEIGHT - 8}" text-anchor="{anchor}"'
        parts.append(f"<text {where}>{_text(label)}</text>")
    path = "L".join(f"{across(one.hour):.1f} {down(one.value):.1f}" for one in points)
    parts.append(f'<path class="curve" d="M{path}"/>')
    parts += [
        f'<path class="interval" d="M{across(one.hour):.1f} {down(one.low):.1f}'
        f'V{down(one.high):.1f}"/>'
        f'<circle cx="{across(one.hour):.1f}" cy="{down(one.value):.1f}" r="3"/>'
        for one in points
        if one.high > one.low
    ]
    body = "\n".join(parts)
    return (
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(title)}">\n'
        f"{body}\n</svg>"
    )


def _gates(history: Sequence[RoundReport], words: Translator) -> str:
    """Return the table of the gates, the newest first."""
    rows = []
    for report in reversed(history):
        if report.gate is None and not report.passed:
            continue
        scores = [
            "" if one is None else f"{one.mean:.3f} [{one.low:.3f}, {one.high:.3f}], {one.games}"
            for one in (report.gate, report.anchor)
        ]
        verdict = words("train.passed" if report.passed else "train.kept")
        cells = "".join(f"<td>{_text(one)}</td>" for one in (*scores, verdict))
        rows.append(f"<tr><th>{report.number}</th>{cells}</tr>\n")
    if not rows:
        return ""
    names = ("train.round", "train.gate", "train.anchor", "train.verdict")
    head = "".join(f"<th>{_text(words(name))}</th>" for name in names)
    return (
        f"<section>\n<h2>{_text(words('train.gates-title'))}</h2>\n"
        f"<table>\n<tr>{head}</tr>\n{''.join(rows)}</table>\n</section>\n"
    )
