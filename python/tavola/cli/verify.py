"""`tavola verify`: whether the draws of a record follow from what was committed to before them."""

from __future__ import annotations

from rich.console import Console
from rich.table import Table

import tavola
from tavola.cli.errors import UsageError
from tavola.cli.locales import Translator
from tavola.cli.records import one_of

NOT_FAIR = 1

SHOWN = {"Commitment": "verify.commitment", "Seed": "verify.seed"}
"""The tags of a record that are shown."""

SAID = {
    "fair": "verify.fair",
    "no-commitment": "verify.no-commitment",
    "not-revealed": "verify.not-revealed",
    "other-commitment": "verify.other-commitment",
    "wrong-seed": "verify.wrong-seed",
    "wrong-draw": "verify.wrong-draw",
}
"""What is said of every verdict."""


def run(words: Translator, path: str, number: int, commitment: str | None) -> int:
    """Draws again what a record has drawn, and tells of it.

    Returns:
        The exit status: 0 if everything is right, 1 if something is wrong or cannot be checked.

    Raises:
        UsageError: If there is no such record, or it cannot be replayed.
    """
    record, count = one_of(words, path, number)
    try:
        found = tavola.verify(record, commitment=commitment)
    except tavola.TavolaError as error:
        raise UsageError(words, "bad-record", file=path, detail=error) from None
    console = Console(highlight=False, markup=False)
    for tag, key in SHOWN.items():
        if (told := record.tag(tag)) is not None:
            console.print(f"{words(key)}: {told}", soft_wrap=True)
    if found.wrong:
        console.print(_table(words, found.wrong))
    fair = found.verdict == "fair"
    said = words(SAID[found.verdict], draws=len(found.draws), wrong=len(found.wrong))
    console.print(said, style="green" if fair else "red", soft_wrap=True)
    notes = {
        "verify.note": fair and commitment is None,
        "verify.unfinished": fair and _is_unfinished(record),
        "verify.others": count > 1,
    }
    for key in (key for key, holds in notes.items() if holds):
        console.print(words(key, number=number, count=count), style="dim", soft_wrap=True)
    return 0 if fair else NOT_FAIR


def _is_unfinished(record: tavola.Record) -> bool:
    """Whether a record that can be replayed ends before its game does."""
    *_, last = record.states()
    return last.outcome is None


def _table(words: Translator, wrong: tuple[tavola.Draw, ...]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(words("verify.number"), justify="right")
    table.add_column(words("verify.place"), justify="right")
    table.add_column(words("verify.token"))
    table.add_column(words("verify.due"))
    for draw in wrong:
        table.add_row(str(draw.number), str(draw.place + 1), draw.token, draw.due)
    return table
