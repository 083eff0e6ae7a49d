"""The command `tavola check`."""

from typing import Annotated

import typer

from tavola.cli.parameters import Lang, number, seed


def check(
    context: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="help.game-file", show_default=False)],
    games: Annotated[
        int, number("--games", "-n", least=1, most=10**6, described="help.check-games")
    ] = 40,
    seed: Annotated[int, seed("help.check-seed")] = 0,
    lang: Lang = None,
) -> int:
    """Check a game written in Python."""
    from tavola.cli.check import run

    return run(context.obj, file, games=games, seed=seed)
