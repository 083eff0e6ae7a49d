"""The command `tavola solve`."""

from pathlib import Path
from typing import Annotated

import typer

from tavola._core import MAX_THREADS
from tavola.cli.parameters import OUT, GameName, Lang, Options, number, options_of


def solve(
    context: typer.Context,
    game: GameName,
    option: Options = None,
    threads: Annotated[
        int | None,
        number("--threads", least=1, most=MAX_THREADS, described="help.all-threads"),
    ] = None,
    out: Annotated[Path | None, typer.Option(*OUT, metavar="FILE", help="help.solve-out")] = None,
    lang: Lang = None,
) -> int:
    """Solve a game, for perfect play."""
    from tavola.cli.solve import run

    return run(context.obj, game, options=options_of(option), threads=threads, output=out)
