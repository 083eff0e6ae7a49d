"""The command `tavola serve` and its parameters."""

from typing import Annotated, Any

import typer
from typer.core import TyperCommand

from tavola.cli.errors import parse_whole_number
from tavola.cli.locales import Translator


def add_serve_command(
    app: typer.Typer,
    described: type[TyperCommand],
    translate: Translator,
    *,
    game_file: Any,
    lang: Any,
) -> None:
    """Add the command to the command line.

    Args:
        app: The command line.
        described: The class of commands, with help in a language.
        translate: The language.
        game_file: The parameter of the Python file of a game.
        lang: The parameter of the language.
    """

    @app.command(cls=described, help=translate("help.serve"))
    def serve(
        game: Annotated[list[str] | None, game_file] = None,
        host: Annotated[
            str, typer.Option(envvar="HOST", metavar="HOST", help=translate("help.host"))
        ] = "127.0.0.1",
        port: Annotated[
            str, typer.Option(envvar="PORT", metavar="PORT", help=translate("help.port"))
        ] = "8000",
        database: Annotated[
            str | None,
            typer.Option(
                envvar="TAVOLA_DATABASE",
                metavar="URL",
                help=translate("help.database"),
                show_default=False,
            ),
        ] = None,
        fan_out: Annotated[
            str | None,
            typer.Option(
                envvar="TAVOLA_FAN_OUT",
                metavar="URL",
                help=translate("help.fan-out"),
                show_default=False,
            ),
        ] = None,
        origin: Annotated[
            list[str] | None, typer.Option(metavar="ORIGIN", help=translate("help.origin"))
        ] = None,
        engine: Annotated[
            list[str] | None,
            typer.Option("--engine", metavar="NAME=ENGINE", help=translate("help.serve-engine")),
        ] = None,
        browser: Annotated[
            bool, typer.Option("--open/--no-browser", help=translate("help.browser"))
        ] = True,
        verbose: Annotated[
            bool, typer.Option("--verbose", "-v", help=translate("help.verbose"))
        ] = False,
        lang: Annotated[str | None, lang] = None,
    ) -> int:
        from tavola.cli.agents import parse_agents
        from tavola.cli.serve import Server
        from tavola.cli.serve import origin as named

        number = parse_whole_number(translate, "--port", port, 0, 65535, translate("valid.port"))
        server = Server(
            translate=translate,
            host=host,
            port=number,
            database=database,
            fan_out=fan_out,
            origins=tuple(named(translate, one) for one in origin or ()),
            agents=parse_agents(translate, engine or ()),
            browser=browser,
            verbose=verbose,
        )
        return server.run()
