"""`tavola bench`: measures the speed of random games in the compiled core."""

from __future__ import annotations

import time

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import tavola
from tavola.cli.locales import Translator
from tavola.cli.tables import print_table
from tavola.server import games


def measure(translate: Translator, game: str | None, *, seconds: float, threads: int) -> None:
    """Print a table of the speed of one game or of all.

    Raises:
        RequestError: `unknown-game`.
    """
    names = tavola.games() if game is None else (games.info(game).name,)
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(translate("bench.game"))
    for column in ("games", "actions", "length"):
        table.add_column(translate(f"bench.{column}"), justify="right")
    with Progress(console=Console(stderr=True), transient=True) as progress:
        for name in names:
            task = progress.add_task(name, total=seconds)
            played, acted, spent = 0, 0, 0.0
            state = tavola.load(name).start()
            batch, seed = 100, 0
            while spent < seconds:
                began = time.perf_counter()
                result = tavola.playouts(state, batch, seed, threads)
                took = time.perf_counter() - began
                played, acted, spent = played + result.count, acted + result.actions, spent + took
                # About ten batches per second, so that the bar moves and Ctrl-C works.
                batch = max(1, round(batch * min(10.0, 0.1 / took)))
                seed += 1
                progress.update(task, completed=min(spent, seconds))
            table.add_row(
                name, f"{played / spent:,.0f}", f"{acted / spent:,.0f}", f"{acted / played:.1f}"
            )
    print_table(table, Console())
