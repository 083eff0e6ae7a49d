"""`tavola games`: lists the games with their options."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

import tavola
from tavola.cli.locales import Translator
from tavola.cli.tables import print_table
from tavola.server import games
from tavola.view import Text

MOST_VALUES = 8


def show(translate: Translator) -> None:
    """Print a table of the games."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "title", "seats", "options"):
        table.add_column(translate(f"games.{column}"), overflow="fold")
    for name in tavola.games():
        known = games.info(name)
        fewest, most = known.seats
        options = [f"{option.name}={_listed(option.values)}" for option in known.options]
        table.add_row(
            name,
            games.format_text(name, translate.language, Text("game.title")),
            str(fewest) if fewest == most else f"{fewest}-{most}",
            "  ".join(options),
        )
    print_table(table, Console())


def _listed(values: Sequence[str]) -> str:
    """Join the values; of a long list only the first ones and the last."""
    shown = [*values[:4], "...", values[-1]] if len(values) > MOST_VALUES else values
    return "|".join(shown)
