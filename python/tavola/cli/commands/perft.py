"""The command `tavola perft`."""

from typing import Annotated

import typer

from tavola.cli.parameters import GameName, Lang, Options, WholeNumber, options_of


def perft(
    context: typer.Context,
    game: GameName,
    depth: Annotated[
        int,
        typer.Argument(
            metavar="DEPTH",
            help="help.depth",
            show_default=False,
            parser=WholeNumber("DEPTH", 0, 30, "valid.depth"),
        ),
    ],
    option: Options = None,
    position: Annotated[str | None, typer.Option(metavar="TEXT", help="help.position")] = None,
    divide: Annotated[bool, typer.Option("--divide", help="help.divide")] = False,
    lang: Lang = None,
) -> None:
    """Count action sequences."""
    from tavola.cli.perft import count

    count(
        context.obj,
        game,
        depth,
        options=options_of(option),
        position=position,
        divide=divide,
    )
