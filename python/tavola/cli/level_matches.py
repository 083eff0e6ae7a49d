"""`tavola match ENGINE levels`: a match of an engine against every level of a game."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from tavola.cli.errors import UsageError, check_writable
from tavola.cli.locales import Translator
from tavola.cli.match import EngineMatch, format_elo
from tavola.cli.tables import print_table
from tavola.engines import levels
from tavola.tournament import Row

__all__ = ["LEVELS", "match_levels"]

LEVELS = "levels"
"""The word for every level of the game, in place of an engine."""


def match_levels(
    translate: Translator,
    engines: Sequence[str],
    *,
    game: str,
    records: Path | None,
    summary: str | None,
    **arguments: Any,
) -> int:
    """Play a match of an engine against each level, and print a table at the end.

    Args:
        translate: The language of messages.
        engines: The engine and the word `levels`.
        game: The name of the game.
        records: The results file; the number of the level is added to its name.
        summary: The output file of all standings as JSON, `-` for standard output.
        **arguments: The other arguments of every `EngineMatch`.

    Returns:
        The exit code of the last match.

    Raises:
        UsageError: If there is not exactly one other engine, or as `EngineMatch`.
    """
    others = [engine for engine in engines if engine != LEVELS]
    if len(others) != 1 or len(engines) != 2:
        raise UsageError(translate, "levels", game=game)
    if summary not in (None, "-"):
        check_writable(translate, Path(summary))
    shown = Console(stderr=True, highlight=False)
    count = len(levels(game))
    standings, rows, status = [], [], 0
    for number in range(1, count + 1):
        shown.print(translate("match.playing-level", number=number, count=count), style="bold")
        one = EngineMatch(
            translate,
            [others[0], f"level:{number}"],
            game=game,
            records=None if records is None else _numbered(records, number),
            summary=None,
            **arguments,
        )
        status = one.run(show=False)
        standings.append(msgspec.Raw(one.standings.summary()))
        if one.standings.games:
            rows.append((number, one.standings.rows()[0]))
        if status:
            break
    out = Console(highlight=False, markup=False, stderr=summary == "-")
    try:
        _write(translate, summary, msgspec.json.format(msgspec.json.encode(standings)) + b"\n")
    finally:
        out.print(translate("match.levels", engine=others[0], game=game))
        print_table(_table(translate, rows), out)
        if forfeits := sum(row.forfeits for _, row in rows):
            out.print(translate("match.forfeits", count=forfeits))
    return status


def _numbered(path: Path, number: int) -> Path:
    """Return a path with the number of a level: `games.txt` is `games-level3.txt`."""
    return path.with_name(f"{path.stem}-level{number}{path.suffix}")


def _write(translate: Translator, summary: str | None, text: bytes) -> None:
    """Write the standings, if an output file is given.

    Raises:
        UsageError: If the file cannot be written.
    """
    if summary == "-":
        print(text.decode(), end="")
    elif summary is not None:
        try:
            Path(summary).write_bytes(text)
        except OSError as error:
            raise UsageError(translate, "cannot-write", file=summary, detail=error) from None


def _table(translate: Translator, rows: Sequence[tuple[int, Row]]) -> Table:
    """Return the table of the engine's results by level."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("level", "wins", "draws", "losses", "share", "elo", "pace"):
        table.add_column(translate(f"match.{column}"), justify="right", no_wrap=True)
    for number, row in rows:
        table.add_row(
            str(number),
            *(str(count) for count in (row.wins, row.draws, row.losses)),
            f"{100 * row.share:.1f} %",
            format_elo(row),
            "-" if row.seconds is None else f"{row.seconds:.3f}",
        )
    return table
