"""The commands of `tavola admin` about the whole server."""

from typing import Annotated

import typer

from tavola.cli.commands.admin.accounts import database_url
from tavola.cli.parameters import AsJson, DatabaseUrl, Lang, number


def announce(
    context: typer.Context,
    texts: Annotated[
        list[str] | None,
        typer.Argument(metavar="[LANG=]TEXT...", help="help.announcement", show_default=False),
    ] = None,
    end: Annotated[bool, typer.Option("--end", help="help.announcement-end")] = False,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Show a line to all visitors."""
    from tavola.cli.admin.site import announce

    return announce(context.obj, database_url(database), texts or (), end=end)


def figures(
    context: typer.Context, json: AsJson = False, database: DatabaseUrl = None, lang: Lang = None
) -> int:
    """Show figures of use."""
    from tavola.cli.admin.site import print_figures

    return print_figures(context.obj, database_url(database), json=json)


def check(
    context: typer.Context,
    games: Annotated[bool, typer.Option("--games", help="help.check-all-games")] = False,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Check the database."""
    from tavola.cli.admin.site import check

    return check(context.obj, database_url(database), games=games)


def log(
    context: typer.Context,
    limit: Annotated[int, number("--limit", least=1, most=10**6, described="help.limit")] = 100,
    json: AsJson = False,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """List the acts of the host and of moderators."""
    from tavola.cli.admin.site import print_log

    return print_log(context.obj, database_url(database), limit=limit, json=json)
