"""The command that draws: `tavola picture`."""

from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tavola.cli.errors import parse_options, parse_seconds, parse_whole_number
from tavola.cli.flags import OUT
from tavola.cli.locales import Translator


def add_picture_commands(
    app: typer.Typer, described: type[TyperCommand], translate: Translator, *, lang: Any
) -> None:
    """Add the command to the command line.

    Args:
        app: The command line.
        described: The class of commands, with help in a language.
        translate: The language.
        lang: The parameter of the language.
    """

    @app.command(cls=described, help=translate("help.picture"))
    def picture(
        source: Annotated[
            str,
            typer.Argument(
                metavar="RECORD|GAME", help=translate("help.picture-source"), show_default=False
            ),
        ],
        out: Annotated[
            Path | None,
            typer.Option(*OUT, "-o", metavar="FILE", help=translate("help.picture-out")),
        ] = None,
        position: Annotated[
            str | None, typer.Option(metavar="TEXT", help=translate("help.picture-position"))
        ] = None,
        option: Annotated[
            list[str] | None,
            typer.Option("--option", metavar="NAME=VALUE", help=translate("help.option")),
        ] = None,
        number: Annotated[
            str, typer.Option("--number", metavar="N", help=translate("help.number"))
        ] = "1",
        first: Annotated[
            str | None, typer.Option("--from", metavar="N", help=translate("help.picture-from"))
        ] = None,
        last: Annotated[
            str | None, typer.Option("--to", metavar="N", help=translate("help.picture-to"))
        ] = None,
        seat: Annotated[
            str | None, typer.Option("--seat", metavar="N", help=translate("help.picture-seat"))
        ] = None,
        width: Annotated[
            str | None, typer.Option("--width", metavar="N", help=translate("help.picture-width"))
        ] = None,
        colours: Annotated[
            str | None,
            typer.Option("--colours", metavar="NAME", help=translate("help.picture-colours")),
        ] = None,
        seconds_: Annotated[
            str, typer.Option("--seconds", metavar="S", help=translate("help.picture-seconds"))
        ] = "0.8",
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.picture import Arguments, run

        def count(name: str, given: str | None, least: int, most: int | None) -> int | None:
            return (
                None if given is None else parse_whole_number(translate, name, given, least, most)
            )

        arguments = Arguments(
            source=source,
            output=out,
            position=position,
            options=parse_options(translate, option),
            number=count("--number", number, 1, None) or 1,
            first=count("--from", first, 0, None),
            last=count("--to", last, 0, None),
            seat=count("--seat", seat, 0, None),
            width=count("--width", width, 240, 4000),
            colours=colours,
            seconds=parse_seconds(translate, "--seconds", seconds_),
        )
        return run(translate, arguments)
