"""The command `tavola explore`."""

from pathlib import Path
from typing import Annotated

import typer

from tavola.cli.parameters import GameName, Lang, Options, number, options_of


def explore(
    context: typer.Context,
    game: GameName,
    actions: Annotated[
        list[str] | None,
        typer.Argument(metavar="ACTIONS...", help="help.explore-actions", show_default=False),
    ] = None,
    option: Options = None,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="help.explore-position")
    ] = None,
    archive: Annotated[
        Path | None, typer.Option(metavar="FILE", help="help.explore-archive")
    ] = None,
    games: Annotated[
        int, number("--games", "-n", least=0, most=10**6, described="help.explore-games")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", help="help.explore-json")] = False,
    lang: Lang = None,
) -> int:
    """Search an archive."""
    from tavola.cli.explore import show

    return show(
        context.obj,
        game,
        options=options_of(option),
        position=position,
        actions=" ".join(actions or []),
        path=archive,
        listed=games,
        json=json,
    )
