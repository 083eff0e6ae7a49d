"""Reports by engine games: their files, and their games with progress on the terminal."""

from __future__ import annotations

import contextlib
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from tavola.cli.errors import UsageError, check_writable
from tavola.cli.exit_codes import FAILED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress
from tavola.cli.signals import deferred_interrupts, interrupt_on_termination
from tavola.executors import ClusterError, Executor, WorkerProcessDied
from tavola.report.plan import Plan
from tavola.report.play import EngineForfeits, GameFiles, play_series
from tavola.tournament import ResultsFileError

__all__ = ["EngineReport", "claim", "play"]


class EngineReport(ABC):
    """A report that is played and written.

    Args:
        translate: The language of messages and of the page.
        plan: The plan of the games.
        out: The path of the page.
        resume: Whether to resume an interrupted report.

    Raises:
        UsageError: If the page cannot be written.
    """

    def __init__(self, translate: Translator, plan: Plan, out: Path, resume: bool) -> None:
        from tavola.report.files import ReportFiles

        self._translate = translate
        self._plan = plan
        self._resume = resume
        self._shown = Console(stderr=True, highlight=False)
        self._paths = ReportFiles(out)
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise UsageError(translate, "cannot-write", file=out, detail=error) from None
        for path in self._outputs():
            check_writable(translate, path)

    @abstractmethod
    def _outputs(self) -> Sequence[Path]:
        """Return the files that the report writes at its end."""

    @abstractmethod
    def run(self, executor: Executor) -> int:
        """Play the missing games and write the report.

        Args:
            executor: Runs the games.

        Returns:
            The exit code.

        Raises:
            UsageError: If a file cannot be used.
        """


def claim(
    translate: Translator, files: GameFiles, resume: bool, claims: contextlib.ExitStack
) -> None:
    """Lock results files and read their games.

    Args:
        translate: The language of messages.
        files: The results files.
        resume: Whether the files may contain games.
        claims: Unlocks the files at its end.

    Raises:
        UsageError: If a file cannot be used.
    """
    folder = files.folder
    try:
        if not resume and files.exist():
            raise UsageError(translate, "report-exists", path=folder)
        claims.enter_context(files.claimed())
    except ResultsFileError as error:
        raise UsageError(translate, "records", detail=error) from None
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=folder, detail=error) from None


def play(translate: Translator, files: GameFiles, executor: Executor, shown: Console) -> int:
    """Play the missing games of results files.

    Args:
        translate: The language of messages.
        files: The results files.
        executor: Runs the games.
        shown: The console for progress and errors.

    Returns:
        The exit code.

    Raises:
        UsageError: If a file cannot be written.
    """
    playing = play_series(files, executor)
    try:
        with (
            interrupt_on_termination(),
            show_progress(
                shown, translate("report.playing"), total=files.total, done=files.done
            ) as tell,
            contextlib.closing(playing),
        ):
            for series, played in playing:
                with deferred_interrupts():  # a game is stored completely
                    files.add(series, played)
                tell(files.done, series.name)
    except EngineForfeits as error:
        reason = translate.translate_part(error)
        shown.print(translate("report.forfeit", detail=reason), style="red")
        return FAILED
    except (ClusterError, WorkerProcessDied) as error:
        shown.print(translate("match.died", detail=error), style="red")
        return FAILED
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=files.folder, detail=error) from None
    return 0
