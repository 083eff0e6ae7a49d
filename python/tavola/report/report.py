"""A report as an object, for programs and notebooks."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from tavola.atomic_write import atomic_write
from tavola.executors import Executor, ProcessExecutor
from tavola.language import Language
from tavola.page_template import frame
from tavola.report.data import PlayedGame, action_table, game_table
from tavola.report.measures import Measures
from tavola.report.plan import Plan
from tavola.report.play import GameFiles, play_series

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["Report", "make_report"]


class Report:
    """The measures of a game. It shows its page in a notebook.

    Attributes:
        plan: The plan.
        measures: The measures of each setting.
    """

    def __init__(
        self,
        plan: Plan,
        games: Sequence[Sequence[PlayedGame]],
        measures: Sequence[Measures],
        *,
        language: Language = "en",
    ) -> None:
        """Collect the results of a report.

        Args:
            plan: The plan.
            games: The main games of each setting.
            measures: The measures of each setting.
            language: The language of the page.
        """
        self.plan = plan
        self.measures = tuple(measures)
        self._games = [list(one) for one in games]
        self._language: Language = language

    def __repr__(self) -> str:
        return f"<Report on {self.plan.game}, {sum(map(len, self._games))} games>"

    @property
    def games(self) -> pa.Table:
        """A table with one row per game. It needs `tavola[report]`."""
        return game_table(self._games)

    @property
    def actions(self) -> pa.Table:
        """A table with one row per action. It needs `tavola[report]`."""
        return action_table(self._games)

    def html(self) -> str:
        """Return the page. It needs `tavola[report]`."""
        from tavola.report.files import command
        from tavola.report.page import page
        from tavola.report.words import Words

        words = Words(self.plan.game, self._language)
        return page(self.plan, self.measures, words, names=(), command=command(self.plan))

    def save(self, path: str | Path) -> None:
        """Write the page to a file.

        Args:
            path: The path of the page.

        Raises:
            OSError: If the file cannot be written.
        """
        atomic_write(Path(path), self.html().encode())

    def _repr_html_(self) -> str:
        return frame(self, self.html(), "height: 900px")


def make_report(
    plan: Plan,
    *,
    language: Language = "en",
    executor: Executor | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Report:
    """Let engines play the games of a plan, and measure them.

    Args:
        plan: The plan.
        language: The language of the page.
        executor: Runs the games; None for a process for each processor. In a script,
            call `make_report` under `if __name__ == "__main__":`.
        progress: Called after each game with the numbers of finished games and of all games.

    Returns:
        The report. Equal plans give equal reports.

    Raises:
        WorkerProcessDied: If three processes exit during the same game.
        EngineForfeits: If an engine fails.
    """
    from tavola.report.files import summarize

    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        files = GameFiles(Path(folder), plan.series())
        stack.enter_context(files.claimed())
        running = stack.enter_context(executor or ProcessExecutor())
        playing = stack.enter_context(contextlib.closing(play_series(files, running)))
        for series, played in playing:
            files.add(series, played)
            if progress is not None:
                progress(files.done, files.total)
        games, measures = summarize(plan, files)
    return Report(plan, games, measures, language=language)
