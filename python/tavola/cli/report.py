"""`tavola report`: engines play, and a page says how the game behaves."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import tavola
from tavola.cli.balance import BalanceReport, check_balance
from tavola.cli.errors import UsageError, engine_errors
from tavola.cli.exit_codes import INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.report_games import EngineReport, claim, play
from tavola.executors import Executor
from tavola.report.plan import Plan
from tavola.report.play import GameFiles
from tavola.server import games as server_games

MOST_SETTINGS = 4
PACKAGES = ("matplotlib", "pyarrow")


def run(
    translate: Translator,
    game: str,
    *,
    options: dict[str, str],
    against: Sequence[dict[str, str]],
    balance: bool,
    levels: tuple[int, ...],
    engines: tuple[str, ...],
    games: int,
    openings: int | None,
    skill_games: int,
    skill_levels: int,
    seed: int,
    executor: Executor,
    out: Path | None,
    resume: bool,
) -> int:
    """Play the games of a report, and write its files.

    Returns:
        The exit code.

    Raises:
        UsageError: If a package is missing, or an argument or a file is wrong.
        RequestError: For an unknown game, option or value.
    """
    if missing := [name for name in PACKAGES if find_spec(name) is None]:
        raise UsageError(translate, "report-packages", packages=", ".join(missing))
    loaded = server_games.load(game, options)
    if balance:
        check_balance(translate, loaded.name, options, against)
    settings = [loaded.options]
    for changed in against:
        other = server_games.load(game, {**options, **changed}).options
        if other in settings:
            given = ",".join(f"{name}={value}" for name, value in changed.items())
            raise UsageError(translate, "against-same", given=given)
        settings.append(other)
    if len(settings) > MOST_SETTINGS:
        raise UsageError(translate, "against-many", most=MOST_SETTINGS - 1)
    fewest = min(int(server_games.load(game, _texts(one)).seats) for one in settings)
    if (count := len(engines or levels)) > fewest:
        raise UsageError(translate, "engines", count=count, seats=fewest)
    with engine_errors(translate):
        for engine in engines:
            tavola.engine(engine, loaded).close()
    plan = Plan(
        game=loaded.name,
        settings=tuple(settings),
        levels=levels,
        engines=engines,
        games=games,
        openings=openings,
        skill_games=skill_games,
        skill_levels=skill_levels,
        seed=seed,
    )
    if balance:
        page = out or Path(f"{loaded.name}-balance.html")
        return BalanceReport(translate, plan, page, resume).run(executor)
    return Report(translate, plan, out or Path(f"{loaded.name}-report.html"), resume).run(executor)


def _texts(options: dict[str, str | int]) -> dict[str, str]:
    return {name: str(value) for name, value in options.items()}


class Report(EngineReport):
    """A report on the behaviour of a game."""

    def __init__(self, translate: Translator, plan: Plan, out: Path, resume: bool) -> None:
        super().__init__(translate, plan, out, resume)
        self._files = GameFiles(self._paths.records, plan.series())

    def _outputs(self) -> tuple[Path, ...]:
        return self._paths.outputs()

    def run(self, executor: Executor) -> int:
        """Play the missing games and write the report."""
        with contextlib.ExitStack() as claims:
            claim(self._translate, self._files, self._resume, claims)
            try:
                status = play(self._translate, self._files, executor, self._shown)
                if status == 0:
                    self._write()
            except KeyboardInterrupt:
                status = INTERRUPTED
        if status:
            self._shown.print(
                self._translate("report.resume", done=self._files.done, total=self._files.total),
                style="dim",
            )
        return status

    def _write(self) -> None:
        """Write the page, the tables and the summary, and print their paths."""
        from tavola.report.files import write_report

        self._shown.print(self._translate("report.writing"), style="dim")
        try:
            write_report(self._plan, self._files, self._paths, self._translate.language)
        except OSError as error:
            page = self._paths.page
            raise UsageError(self._translate, "cannot-write", file=page, detail=error) from None
        for path in self._outputs():
            print(path)
