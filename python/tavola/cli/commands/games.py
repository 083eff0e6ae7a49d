"""The command `tavola games`."""

import typer

from tavola.cli.parameters import Lang


def games(context: typer.Context, lang: Lang = None) -> None:
    """List the games."""
    from tavola.cli.games import show

    show(context.obj)
