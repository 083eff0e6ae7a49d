"""The page of a run: one HTML file with plots of its progress."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from tavola.cli.locales import Translator
from tavola.options_text import options_text
from tavola.page_template import render
from tavola.train.history import RoundReport, Score
from tavola.train.plan import Plan

__all__ = ["progress_page"]

RELOAD_SECONDS = 30


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
    # Matplotlib takes half a second to import.
    from tavola.report.plots import Point, series

    hours = list(itertools.accumulate(report.seconds / 3600 for report in history))
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
    return render(
        "cli/training_page.html",
        words=words,
        title=words("train.title", game=title),
        reload=RELOAD_SECONDS,
        options=options_text(plan.options),
        lead=words(
            "train.lead",
            rounds=len(history),
            games=f"{sum(report.games for report in history):,}",
            samples=f"{sum(report.samples for report in history):,}",
            hours=f"{hours[-1] if hours else 0:.2f}",
        ),
        plots={
            title: series(f"plot{number}", points, label=words("train.hours")) if points else ""
            for number, (title, points) in enumerate(plots.items())
        },
        gates=_gates(history, words),
    )


def _gates(history: Sequence[RoundReport], words: Translator) -> list[tuple[str, ...]]:
    """Return the rows of the gates, the newest first."""
    return [
        (
            str(report.number),
            *(
                ""
                if one is None
                else f"{one.mean:.3f} [{one.low:.3f}, {one.high:.3f}], {one.games}"
                for one in (report.gate, report.anchor)
            ),
            words("train.passed" if report.passed else "train.kept"),
        )
        for report in reversed(history)
        if report.gate is not None or report.passed
    ]


def _score(score: Score | None) -> str:
    if score is None:
        return ""
    return f"{score.mean:.3f} [{score.low:.3f}, {score.high:.3f}], {score.games}"
