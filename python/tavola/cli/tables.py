"""Tables of the terminal: figures are never cut, labels wrap."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import Console
from rich.measure import Measurement
from rich.table import Table

__all__ = ["print_table"]

WIDEST = 1000


def print_table(table: Table, console: Console) -> None:
    """Print a table. Columns that are aligned to the right hold figures.

    On a terminal, labels wrap. A file or another program gets the table in its full width.

    Args:
        table: The table.
        console: Where to print it.
    """
    for column in table.columns:
        if column.justify == "right":
            column.no_wrap = True
            texts = [console.render_str(str(cell)).plain for cell in column.cells]
            column.min_width = max(map(cell_len, texts), default=0)
        else:
            column.no_wrap, column.overflow = False, "fold"
    if not console.is_terminal:
        options = console.options.update(width=WIDEST)
        table.width = Measurement.get(console, options, table).maximum
    console.print(table, crop=False)
