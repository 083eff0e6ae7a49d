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


class Line(NamedTuple):
    """A line of a plot.

    Attributes:
        name: The name in the legend.
        points: The points: x, y, and the ends of the interval of y.
        dots: Whether each point has a dot and its interval.
    """

    name: str
    points: Sequence[tuple[float, float, float, float]]
    dots: bool = False


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
    plots = [
        _section(
            words("train.elo-title", nodes=plan.anchor_nodes), words, _elo(history, hours, words)
        ),
        _section(words("train.loss-title"), words, _losses(history, hours, words)),
        _section(words("train.games-title"), words, _games(history, hours, words)),
    ]
    style = files("tavola.cli").joinpath("training_page.css").read_text(encoding="utf-8")
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
{"".join(plots)}{_gates(history, words)}</main>
</body>
</html>
"""


def _text(text: str) -> str:
    return html.escape(text, quote=False)


def _elo(history: Sequence[RoundReport], hours: Sequence[float], words: Translator) -> list[Line]:
    points = [
        (hour, *report.anchor.elo(2))
        for hour, report in zip(hours, history, strict=True)
        if report.anchor is not None
    ]
    return [Line(words("train.elo"), points, dots=True)]


def _losses(
    history: Sequence[RoundReport], hours: Sequence[float], words: Translator
) -> list[Line]:
    rounds = list(zip(hours, history, strict=True))
    policy = [(hour, one.policy, one.policy, one.policy) for hour, one in rounds]
    shares = [(hour, one.shares, one.shares, one.shares) for hour, one in rounds]
    return [Line(words("train.policy"), policy), Line(words("train.shares"), shares)]


def _games(history: Sequence[RoundReport], hours: Sequence[float], words: Translator) -> list[Line]:
    counts = itertools.accumulate(report.games for report in history)
    points = [(hour, count, count, count) for hour, count in zip(hours, counts, strict=True)]
    return [Line(words("train.games"), points)]


def _section(title: str, words: Translator, lines: Sequence[Line]) -> str:
    """Return a plot with its title and its legend."""
    shown = _plot(lines, title, words("train.hours"))
    if shown is None:
        shown = f"<p>{_text(words('train.nothing'))}</p>"
    legend = "".join(
        f'<li class="line-{number}">{_text(line.name)}</li>' for number, line in enumerate(lines)
    )
    key = f"<ul>{legend}</ul>\n" if len(lines) > 1 else ""
    return f"<section>\n<h2>{_text(title)}</h2>\n{key}{shown}\n</section>\n"


def _plot(lines: Sequence[Line], title: str, unit: str) -> str | None:
    """Return lines as SVG; `None` without points."""
    points = [point for line in lines for point in line.points]
    if not points:
        return None
    right = max(point[0] for point in points) or 1.0
    low = min(0.0, *(min(point[1:]) for point in points))
    high = max(max(point[1:]) for point in points)
    high = high if high > low else low + 1.0

    def across(x: float) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * x / right

    def down(y: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (high - y) / (high - low)

    parts = []
    for tick in range(TICKS + 1):
        y = low + (high - low) * tick / TICKS
        label = f"{y:,.0f}" if high - low >= 8 else f"{y:.2f}"
        parts.append(
            f'<path class="grid" d="M{LEFT} {down(y):.1f}H{WIDTH - RIGHT}"/>'
            f'<text x="{LEFT - 6}" y="{down(y) + 4:.1f}" text-anchor="end">{label}</text>'
        )
        x = right * tick / TICKS
        anchor = "end" if tick == TICKS else "middle"
        label = f"{x:.2f} {unit}" if tick == TICKS else f"{x:.2f}"
        where = f'x="{across(x):.1f}" y="{HEIGHT - 8}" text-anchor="{anchor}"'
        parts.append(f"<text {where}>{_text(label)}</text>")
    for number, line in enumerate(lines):
        places = [(across(x), *map(down, values)) for x, *values in line.points]
        path = "L".join(f"{place[0]:.1f} {place[1]:.1f}" for place in places)
        drawn = [f'<path class="curve" d="M{path}"/>'] if path else []
        if line.dots:
            drawn += [
                f'<path class="interval" d="M{x:.1f} {least:.1f}V{most:.1f}"/>'
                f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>'
                for x, y, least, most in places
            ]
        parts.append(f'<g class="line-{number}">{"".join(drawn)}</g>')
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
