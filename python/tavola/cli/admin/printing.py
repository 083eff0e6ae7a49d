"""The output of `tavola admin`: tables for people, JSON for programs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

import msgspec
from rich.console import Console
from rich.table import Table

from tavola.cli.locales import Translator
from tavola.cli.tables import print_table


def print_json(value: object) -> None:
    """Print a value as JSON, on lines that a person can read."""
    print(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def print_rows(
    translate: Translator, columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> None:
    """Print a table.

    Args:
        translate: The language.
        columns: The keys of the headings.
        rows: The texts of each row.
    """
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in columns:
        table.add_column(translate(column), overflow="fold")
    for row in rows:
        table.add_row(*row)
    print_table(table, Console(highlight=False, markup=False))


def local_time(at: str | None) -> str:
    """Return a stored time in the time zone of this machine, to the minute."""
    if at is None:
        return ""
    return f"{datetime.fromisoformat(at).astimezone():%Y-%m-%d %H:%M}"


def is_time(text: str) -> bool:
    """Return whether a text is a stored time."""
    try:
        return datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        return False
