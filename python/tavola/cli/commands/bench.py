"""The command `tavola bench`."""

from typing import Annotated

import typer

from tavola._core import MAX_THREADS
from tavola.cli.parameters import AnyGameName, Lang, number, seconds


def bench(
    context: typer.Context,
    game: AnyGameName = None,
    seconds: Annotated[float, seconds("help.bench-seconds")] = 2,
    threads: Annotated[
        int, number("--threads", least=1, most=MAX_THREADS, described="help.threads")
    ] = 1,
    lang: Lang = None,
) -> None:
    """Measure the speed of random games."""
    from tavola.cli.bench import measure

    measure(context.obj, game, seconds=seconds, threads=threads)
