"""The command `tavola picture`."""

from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from tavola.cli.parameters import OUT, Lang, Pair, RecordNumber, options_of, seconds
from tavola.cli.parameters import number as number_option

place = partial(number_option, least=0, most=None)


def picture(
    context: typer.Context,
    source: Annotated[
        str, typer.Argument(metavar="RECORD|GAME", help="help.picture-source", show_default=False)
    ],
    out: Annotated[
        Path | None, typer.Option(*OUT, "-o", metavar="FILE", help="help.picture-out")
    ] = None,
    position: Annotated[
        str | None, typer.Option(metavar="TEXT", help="help.picture-position")
    ] = None,
    option: Annotated[
        list[Pair] | None,
        typer.Option("--option", metavar="NAME=VALUE", help="help.option", parser=Pair.parse),
    ] = None,
    number: RecordNumber = 1,
    first: Annotated[int | None, place("--from", described="help.picture-from")] = None,
    last: Annotated[int | None, place("--to", described="help.picture-to")] = None,
    seat: Annotated[int | None, place("--seat", described="help.picture-seat")] = None,
    width: Annotated[
        int | None, number_option("--width", least=240, most=4000, described="help.picture-width")
    ] = None,
    colours: Annotated[
        str | None, typer.Option(metavar="NAME", help="help.picture-colours")
    ] = None,
    seconds: Annotated[float, seconds("help.picture-seconds")] = 0.8,
    lang: Lang = None,
) -> int:
    """Draw a position or a game."""
    from tavola.cli.picture import Arguments, run

    arguments = Arguments(
        source=source,
        output=out,
        position=position,
        options=options_of(option),
        number=number,
        first=first,
        last=last,
        seat=seat,
        width=width,
        colours=colours,
        seconds=seconds,
    )
    return run(context.obj, arguments)
