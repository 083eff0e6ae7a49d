"""The command `tavola play`."""

from typing import Annotated

import typer

from tavola.cli.parameters import GameName, Lang, Options, number, options_of, seconds, seed


def play(
    context: typer.Context,
    game: GameName,
    option: Options = None,
    engine: Annotated[list[str] | None, typer.Option(metavar="SEAT", help="help.engine")] = None,
    seconds: Annotated[float, seconds("help.seconds")] = 1,
    turn: Annotated[
        int | None, number("--turn", metavar="S", least=1, most=3600, described="help.turn")
    ] = None,
    seed: Annotated[int | None, seed("help.seed")] = None,
    lang: Lang = None,
) -> int:
    """Play a game in the terminal."""
    from tavola.cli.play import Play

    return Play(
        context.obj,
        game,
        options=options_of(option),
        engines=engine or [],
        seconds=seconds,
        turn=turn,
        seed=seed,
    ).run()
