"""The command `tavola serve`."""

from pathlib import Path
from typing import Annotated

import typer

from tavola.cli.parameters import DatabaseUrl, GameFiles, Lang, number


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
    database: DatabaseUrl = None,
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
    words: Annotated[
        Path | None,
        typer.Option(envvar="TAVOLA_WORDS", metavar="FILE", help="help.words", show_default=False),
    ] = None,
    new_account_hours: Annotated[
        int,
        number(
            "--new-account-hours",
            envvar="TAVOLA_NEW_ACCOUNT_HOURS",
            metavar="HOURS",
            least=0,
            most=8760,
            described="help.new-account-hours",
        ),
    ] = 24,
    engine: Annotated[
        list[str] | None, typer.Option(metavar="NAME=ENGINE", help="help.serve-engine")
    ] = None,
    browser: Annotated[bool, typer.Option("--open/--no-browser", help="help.browser")] = True,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="help.verbose")] = False,
    lang: Lang = None,
) -> int:
    """Host games in the browser."""
    from tavola.cli.agents import parse_agents
    from tavola.cli.serve import Server, read_words
    from tavola.cli.serve import origin as named
    from tavola.server.settings import Settings, default_database

    settings = Settings(
        database=database or default_database(),
        fan_out=fan_out,
        origins=tuple(named(context.obj, one) for one in origin or ()),
        push=push,
        webhooks=webhooks,
        smtp=smtp,
        mail_from=mail_from or "",
        words=read_words(context.obj, words),
        new_account_hours=new_account_hours,
        agents=parse_agents(context.obj, engine or ()),
    )
    server = Server(
        translate=context.obj,
        host=host,
        port=port,
        settings=settings,
        browser=browser,
        verbose=verbose,
    )
    return server.run()
