"""`tavola train`: a network learns a game by playing against itself."""

from __future__ import annotations

import time
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn
from rich.table import Table

from tavola._core import Game, Network
from tavola.atomic_write import atomic_write
from tavola.cli.errors import UsageError
from tavola.cli.exit_codes import FAILED, INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.progress import show_progress
from tavola.cli.signals import interrupt_on_termination, time_limit
from tavola.cli.tables import print_table
from tavola.cli.training_page import progress_page
from tavola.engines.solution import solution_file
from tavola.errors import SolutionError
from tavola.executors import ClusterError, Executor, WorkerProcessDied
from tavola.server import games as server_games
from tavola.train.calibration import calibrate
from tavola.train.folder import RunFolder, RunFolderError
from tavola.train.history import RoundReport
from tavola.train.plan import Plan
from tavola.view import Text

PACKAGES = ("jax", "matplotlib")

READS = ("observation", "evaluation", "looks")
"""The inputs of a network. Each value also has the inputs of the ones before."""


def run(
    translate: Translator,
    game: str,
    *,
    options: dict[str, str],
    out: Path | None,
    hours: float | None,
    executor: Executor | None,
    settings: Mapping[str, float],
    reads: str | None,
    solution: Path | None,
    calibrated: int | None,
) -> int:
    """Begin or continue a run until its time is over.

    Args:
        translate: The language of messages.
        game: The name of the game.
        options: The options of the game.
        out: The folder of the run; `None` is `GAME-network`.
        hours: The time limit in hours; `None` trains until Ctrl-C.
        executor: Runs the games; `None` plays them in this process.
        settings: The given settings of the plan. Others are those of the begun run.
        reads: One of `READS`; `None` is that of the begun run, and the evaluation for a new one.
        solution: The file of the solution that gives targets; `None` is that of the engine
            `perfect` if the begun run has one.
        calibrated: The number of fresh games of a calibration, in place of the training.

    Returns:
        The exit code.

    Raises:
        UsageError: If a package is missing, or an argument or a file is wrong.
        RequestError: For an unknown game, option or value.
    """
    if calibrated is None and any(find_spec(name) is None for name in PACKAGES):
        raise UsageError(translate, "train-packages")
    loaded = server_games.load(game, options)
    try:
        loaded.observation_space  # noqa: B018
    except ValueError as error:
        raise UsageError(translate, "train-game", detail=error) from None
    known_reads = READS if loaded.weights else READS[:1]
    if reads is not None and reads not in known_reads:
        raise UsageError(translate, "train-reads", given=reads, known=", ".join(known_reads))
    folder = RunFolder(out or Path(f"{loaded.name}-network"))
    shown = Console(stderr=True, highlight=False)
    try:
        begun = folder.plan()
        plan = replace(
            begun or Plan(game=loaded.name),
            game=loaded.name,
            options=loaded.options if options or begun is None else begun.options,
            rules_version=loaded.rules_version,
            **settings,
            solution=solution is not None or (begun is not None and begun.solution),
            **_reading(loaded, begun, reads),
        )
        if calibrated is not None:
            return _calibrate(translate, folder, plan, calibrated, executor)
        with interrupt_on_termination():
            if plan.solution:
                # Here an error leaves no folder behind.
                solution = (solution or solution_file(plan.load())).absolute()
                plan.load()._solved_by(solution)
            with folder.claimed():
                _train(translate, shown, folder, plan, loaded, solution, hours, executor)
    except KeyboardInterrupt:
        shown.print(translate("train.interrupted", path=folder.path), style="dim", markup=False)
        return INTERRUPTED
    except RunFolderError as error:
        raise UsageError(translate, "records", detail=error) from None
    except SolutionError as error:
        raise UsageError(translate, "train-solution", detail=error) from None
    except (ClusterError, WorkerProcessDied) as error:
        return _failed(translate, shown, folder, error)
    except OSError as error:
        return _failed(translate, shown, folder, error.strerror)
    return 0


def _failed(translate: Translator, shown: Console, folder: RunFolder, detail: object) -> int:
    """Print why a run ended, and return the exit code."""
    message = translate("train.failed", detail=detail, path=folder.path)
    shown.print(message, style="red", markup=False)
    return FAILED


def _reading(game: Game, begun: Plan | None, reads: str | None) -> dict[str, Any]:
    """Return the settings of the plan for what the network reads."""
    if reads is None and begun is not None:
        return {}
    features = (begun.features if begun else None) or game.weights
    return {
        "features": {} if reads == "observation" else features,
        "looks": reads == "looks",
    }


def _train(
    translate: Translator,
    shown: Console,
    folder: RunFolder,
    plan: Plan,
    game: Game,
    solution: Path | None,
    hours: float | None,
    executor: Executor | None,
) -> None:
    """Run rounds until the time is over."""
    from tavola.train.run import Training

    ends = None if hours is None else time.monotonic() + 3600 * hours
    title = server_games.format_text(game.name, translate.language, Text("game.title"))
    with _Bar(translate, shown) as bar:
        training = Training(folder, plan, solution=solution, executor=executor, tell=bar.update)
        shown.print(translate("train.page", path=folder.page), style="dim", markup=False)
        while True:
            page = progress_page(plan, training.history, translate, title)
            atomic_write(folder.page, page.encode())
            if ends is not None and time.monotonic() >= ends:
                return
            with time_limit(None if ends is None else ends - time.monotonic()):
                report = training.run_round()
                shown.print(_line(translate, report, training.history), markup=False)


def _line(translate: Translator, report: RoundReport, history: list[RoundReport]) -> str:
    """Return a line about a round."""
    line = translate(
        "train.line",
        number=report.number,
        games=f"{sum(one.games for one in history):,}",
        policy=f"{report.policy:.3f}",
        shares=f"{report.shares:.3f}",
        seconds=f"{report.seconds:.0f}",
    )
    if report.gate is not None:
        verdict = translate("train.passed" if report.passed else "train.kept")
        score = f"{report.gate.mean:.3f}"
        line += translate("train.line-gate", score=score, verdict=verdict)
    if report.anchor is not None:
        line += translate("train.line-anchor", elo=f"{report.anchor.elo(2)[0]:+.0f}")
    return line


class _Bar:
    """A bar for the work within a round, on a terminal only."""

    def __init__(self, translate: Translator, shown: Console) -> None:
        self._works = {
            "play": translate("train.work-play"),
            "learn": translate("train.work-learn"),
            "gate": translate("train.work-gate"),
            "anchor": translate("train.work-anchor"),
        }
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=20),
            MofNCompleteColumn(),
            console=shown,
            transient=True,
            disable=not shown.is_terminal,
        )
        self._task: TaskID = self._progress.add_task("", total=None)

    def __enter__(self) -> _Bar:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, work: str, done: int, total: int) -> None:
        """Show how much of some work is done."""
        self._progress.update(
            self._task, description=self._works[work], completed=done, total=total
        )


def _calibrate(
    translate: Translator, folder: RunFolder, plan: Plan, games: int, executor: Executor | None
) -> int:
    """Print the predictions of the best network beside the results of fresh games."""
    try:
        network = Network(folder.best.read_bytes())
    except FileNotFoundError:
        raise UsageError(translate, "train-no-network", path=folder.path) from None
    except ValueError as error:
        raise UsageError(
            translate, "cannot-read", file=folder.best, detail=translate.translate_part(error)
        ) from None
    playing = translate("train.work-play")
    with show_progress(Console(stderr=True), playing, total=games) as tell:
        result = calibrate(
            plan, network, games, executor=executor, tell=lambda done: tell(done, playing)
        )
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("train.predicted", "train.actual", "train.interval", "train.count"):
        table.add_column(translate(column), justify="right")
    for one in result:
        interval = f"{one.actual.low:.3f} – {one.actual.high:.3f}"
        table.add_row(
            f"{one.predicted:.3f}", f"{one.actual.value:.3f}", interval, str(one.actual.count)
        )
    print_table(table, Console(highlight=False, markup=False))
    return 0
