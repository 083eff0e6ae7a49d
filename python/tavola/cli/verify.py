"""`tavola verify`: verifies that the random draws of a record were fair."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

import tavola
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.cli.records import read_record_and_count
from tavola.cli.tables import print_table

NOT_FAIR = 1

SHOWN = {"Commitment": "verify.commitment", "Seed": "verify.seed"}
"""The tags of a record in the output."""

MESSAGES = {
    "fair": "verify.fair",
    "no-commitment": "verify.no-commitment",
    "not-revealed": "verify.not-revealed",
    "other-commitment": "verify.other-commitment",
    "wrong-seed": "verify.wrong-seed",
    "wrong-draw": "verify.wrong-draw",
}
"""The message of every verdict."""


def run(translate: Translator, path: str, number: int, commitment: str | None) -> int:
    """Recompute the random draws of a record and print the verdict.

    Returns:
        The exit code: 0 if the draws are fair, 1 otherwise.

    Raises:
        UsageError: If the record cannot be read or replayed.
    """
    record, count = read_record_and_count(translate, path, number)
    try:
        result = tavola.verify(record, commitment=commitment)
    except tavola.TavolaError as error:
        raise UsageError(translate, "bad-record", file=path, detail=error) from None
    console = Console(highlight=False, markup=False)
    for tag, key in SHOWN.items():
        if (value := record.tag(tag)) is not None:
            console.print(f"{translate(key)}: {value}", soft_wrap=True)
    if result.wrong:
        print_table(_table(translate, result.wrong), console)
    fair = result.verdict == "fair"
    message = translate(MESSAGES[result.verdict], draws=len(result.draws), wrong=len(result.wrong))
    console.print(message, style="green" if fair else "red", soft_wrap=True)
    notes = {
        "verify.note": fair and commitment is None,
        "verify.unfinished": fair and _is_unfinished(record),
        "verify.others": count > 1,
    }
    for key in (key for key, holds in notes.items() if holds):
        console.print(translate(key, number=number, count=count), style="dim", soft_wrap=True)
    return 0 if fair else NOT_FAIR


def _is_unfinished(record: tavola.Record) -> bool:
    """Return whether a valid record ends before the end of its game."""
    *_, last = record.states()
    return last.outcome is None


def _table(translate: Translator, wrong: tuple[tavola.Draw, ...]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(translate("verify.number"), justify="right")
    table.add_column(translate("verify.action"), justify="right")
    table.add_column(translate("verify.record"))
    table.add_column(translate("verify.expected"))
    for draw in wrong:
        table.add_row(str(draw.number), str(draw.place + 1), draw.token, draw.due)
    return table
