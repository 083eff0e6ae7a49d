"""Writes the files of a report: the page, the tables, and the summary."""

from __future__ import annotations

import io
import shlex
from pathlib import Path

import msgspec

from tavola._core import load
from tavola.atomic_write import atomic_write
from tavola.language import Language
from tavola.report.data import PlayedGame, action_table, game_table, replay
from tavola.report.measures import Measures, measure, skill_step
from tavola.report.page import page
from tavola.report.plan import Plan
from tavola.report.play import GameFiles
from tavola.report.words import Words

__all__ = ["ReportFiles", "command", "summarize", "write_report", "write_summary"]


class ReportFiles:
    """The paths of a report, next to each other.

    Args:
        page: The path of the page.
    """

    def __init__(self, page: Path) -> None:
        self.page = page
        self.summary = page.with_suffix(".json")
        self.games = page.with_name(f"{page.stem}-games.parquet")
        self.actions = page.with_name(f"{page.stem}-actions.parquet")
        self.records = page.with_name(f"{page.stem}-records")

    def outputs(self) -> tuple[Path, ...]:
        """Return the files that the report writes at its end."""
        return (self.page, self.summary, self.games, self.actions)


def summarize(plan: Plan, files: GameFiles) -> tuple[list[list[PlayedGame]], list[Measures]]:
    """Replay and measure the games of a report.

    Args:
        plan: The plan.
        files: The results files, with all games.

    Returns:
        The main games and the measures of each setting.
    """
    games: list[list[PlayedGame]] = []
    measured = []
    for setting in range(len(plan.settings)):
        own = [one for one in files.series if one.setting == setting]
        main = next(one for one in own if one.level is None)
        games.append(replay(main, files.played[main.name]))
        steps = [
            skill_step(one.level, replay(one, files.played[one.name]))
            for one in own
            if one.level is not None
        ]
        measured.append(
            measure(
                games[-1],
                options=main.schedule.options,
                engines=main.schedule.engines,
                opening=main.schedule.plies,
                skill=steps,
            )
        )
    return games, measured


def write_report(plan: Plan, files: GameFiles, paths: ReportFiles, language: Language) -> None:
    """Write the page, the tables and the summary of a report.

    Args:
        plan: The plan.
        files: The results files, with all games.
        paths: The paths of the report.
        language: The language of the page.

    Raises:
        OSError: If a file cannot be written.
    """
    import pyarrow.parquet as pq

    games, measured = summarize(plan, files)
    for path, table in ((paths.games, game_table(games)), (paths.actions, action_table(games))):
        written = io.BytesIO()
        pq.write_table(table, written, compression="zstd")
        atomic_write(path, written.getvalue())
    write_summary(paths.summary, {"plan": plan, "settings": measured})
    names = (paths.games.name, paths.actions.name, paths.summary.name)
    text = page(plan, measured, Words(plan.game, language), names=names, command=command(plan))
    atomic_write(paths.page, text.encode())


def write_summary(path: Path, summary: object) -> None:
    """Write a summary as JSON.

    Args:
        path: The path of the file.
        summary: The plan and the measures.

    Raises:
        OSError: If the file cannot be written.
    """
    encoded = msgspec.json.format(msgspec.json.encode(summary, order="sorted")) + b"\n"
    atomic_write(path, encoded)


def command(plan: Plan) -> str:
    """Return the command that makes a report.

    >>> command(Plan(game="potlatch", settings=({"actions": 3}, {"actions": 2}), games=100))
    'tavola report potlatch -o actions=3 --games 100 --against actions=2'
    """
    defaults = Plan(game=plan.game, settings=plan.settings)
    usual = load(plan.game).options
    first = plan.settings[0]
    words = ["tavola", "report", plan.game]
    for name, value in first.items():
        if value != usual[name]:
            words += ["-o", f"{name}={value}"]
    if plan.levels != defaults.levels:
        words += ["--level", ",".join(map(str, plan.levels))]
    for engine in plan.engines:
        words += ["--engine", shlex.quote(engine)]
    numbers = (
        ("games", plan.games),
        ("openings", plan.openings),
        ("skill-games", plan.skill_games),
        ("skill-levels", plan.skill_levels),
        ("seed", plan.seed),
    )
    for option, number in numbers:
        if number != getattr(defaults, option.replace("-", "_")):
            words += [f"--{option}", str(number)]
    for other in plan.settings[1:]:
        changed = [f"{name}={value}" for name, value in other.items() if value != first.get(name)]
        words += ["--against", ",".join(changed)]
    return " ".join(words)
