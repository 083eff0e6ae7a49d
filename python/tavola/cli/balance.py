"""`tavola report --balance`: engines play with several handicaps, and a page shows the even one."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tavola.atomic_write import atomic_write
from tavola.cli.errors import UsageError
from tavola.cli.exit_codes import INTERRUPTED
from tavola.cli.locales import Translator
from tavola.cli.report_games import EngineReport, claim, play
from tavola.cli.tables import print_table
from tavola.executors import Executor
from tavola.report.balance import (
    OPTION,
    Balance,
    HandicapResult,
    balance_series,
    handicaps,
    measured,
    next_handicap,
)
from tavola.report.play import GameFiles

__all__ = ["BalanceReport", "check_balance"]


def check_balance(
    translate: Translator,
    game: str,
    options: dict[str, str],
    against: Sequence[dict[str, str]],
) -> None:
    """Check that the handicap of a game can be searched.

    Raises:
        UsageError: If the game has no handicaps, or the options give one.
    """
    if not handicaps(game):
        raise UsageError(translate, "balance-none", game=game, option=OPTION)
    if against or OPTION in options:
        raise UsageError(translate, "balance-given", option=OPTION)


class BalanceReport(EngineReport):
    """A search for the handicap that makes the seats even; the plan is that of each step."""

    def _outputs(self) -> tuple[Path, ...]:
        return (self._paths.page, self._paths.summary)

    def run(self, executor: Executor) -> int:
        """Play the games of each step and write the report."""
        known = handicaps(self._plan.game)
        steps = dict[int, HandicapResult]()
        status = 0
        with contextlib.ExitStack() as claims:
            try:
                while status == 0:
                    shares = {value: one.seats[0].value for value, one in steps.items()}
                    seats = len(steps[known[0]].seats) if steps else 1
                    handicap = next_handicap(known, shares, 1.0 / seats)
                    if handicap is None:
                        break
                    series = balance_series(self._plan, handicap)
                    files = GameFiles(self._paths.records, [series])
                    claim(self._translate, files, self._resume, claims)
                    status = play(self._translate, files, executor, self._shown)
                    if status == 0:
                        steps[handicap] = measured(series, handicap, files.played[series.name])
            except KeyboardInterrupt:
                status = INTERRUPTED
        if status:
            self._shown.print(self._translate("report.balance-resume"), style="dim")
            return status
        ordered = tuple(steps[value] for value in sorted(steps))
        self._write(Balance(plan=self._plan, steps=ordered))
        return 0

    def _write(self, found: Balance) -> None:
        """Print the table and the findings, then write the page and the summary."""
        from tavola.report.balance_page import balance_findings, balance_page, balance_table
        from tavola.report.files import command, write_summary
        from tavola.report.words import Words

        words = Words(self._plan.game, self._translate.language)
        head, rows = balance_table(found, words)
        table = Table(box=None, pad_edge=False, header_style="bold")
        for place, text in enumerate(head):
            table.add_column(text, justify="right" if place else "left")
        for row in rows:
            table.add_row(*row)
        page = balance_page(found, words, command=f"{command(self._plan)} --balance")
        print_table(table, Console())
        for line in balance_findings(found, words):
            print(line)
        try:
            write_summary(self._paths.summary, found)
            atomic_write(self._paths.page, page.encode())
        except OSError as error:
            file = self._paths.page
            raise UsageError(self._translate, "cannot-write", file=file, detail=error) from None
        for path in self._outputs():
            print(path)
