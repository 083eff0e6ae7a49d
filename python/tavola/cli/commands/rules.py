"""The command `tavola rules`."""

import typer

from tavola.cli.parameters import GameName, Lang


def rules(context: typer.Context, game: GameName, lang: Lang = None) -> None:
    """Print a rule book."""
    from tavola.cli.rules import show

    show(context.obj, game)
