"""The command `tavola serve`."""

from typing import Annotated

import typer

from tavola.cli.parameters import GameFiles, Lang, number


def serve(
    context: typer.Context,
    game: GameFiles = None,
    host: Annotated[str, typer.Option(envvar="HOST", metavar="HOST", help="help.host")] = (
        "127.0.0.1"
    ),
    port: Annotated[
        int,
        number(
            "--port",
            envvar="PORT",
            metavar="PORT",
            least=0,
            most=65535,
            valid="valid.port",
            described="help.port",
        ),
    ] = 8000,
    database: Annotated[
        str | None,
        typer.Option(
            envvar="TAVOLA_DATABASE", metavar="URL", help="help.database", show_default=False
        ),
    ] = None,
    fan_out: Annotated[
        str | None,
        typer.Option(
            envvar="TAVOLA_FAN_OUT", metavar="URL", help="help.fan-out", show_default=False
        ),
    ] = None,
    origin: Annotated[
        list[str] | None,
        typer.Option(
            envvar="TAVOLA_ORIGIN", metavar="ORIGIN", help="help.origin", show_default=False
        ),
    ] = None,
    push: Annotated[
        bool, typer.Option("--push/--no-push", envvar="TAVOLA_PUSH", help="help.push")
    ] = False,
    webhooks: Annotated[
        bool,
        typer.Option("--webhooks/--no-webhooks", envvar="TAVOLA_WEBHOOKS", help="help.webhooks"),
    ] = False,
    smtp: Annotated[
        str | None,
        typer.Option(envvar="TAVOLA_SMTP", metavar="URL", help="help.smtp", show_default=False),
    ] = None,
    mail_from: Annotated[
        str | None,
        typer.Option(
            envvar="TAVOLA_MAIL_FROM", metavar="ADDRESS", help="help.mail-from", show_default=False
        ),
    ] = None,
    engine: Annotated[
        list[str] | None, typer.Option(metavar="NAME=ENGINE", help="help.serve-engine")
    ] = None,
    browser: Annotated[bool, typer.Option("--open/--no-browser", help="help.browser")] = True,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="help.verbose")] = False,
    lang: Lang = None,
) -> int:
    """Host games in the browser."""
    from tavola.cli.agents import parse_agents
    from tavola.cli.serve import Server
    from tavola.cli.serve import origin as named

    server = Server(
        translate=context.obj,
        host=host,
        port=port,
        database=database,
        fan_out=fan_out,
        origins=tuple(named(context.obj, one) for one in origin or ()),
        push=push,
        webhooks=webhooks,
        smtp=smtp,
        mail_from=mail_from,
        agents=parse_agents(context.obj, engine or ()),
        browser=browser,
        verbose=verbose,
    )
    return server.run()
