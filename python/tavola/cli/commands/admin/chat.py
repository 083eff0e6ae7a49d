"""The commands of `tavola admin` about the chat."""

from functools import partial
from typing import Annotated

import typer

from tavola.cli.commands.admin.accounts import database_url
from tavola.cli.parameters import AsJson, DatabaseUrl, Lang, WholeNumber

LineNumber = Annotated[
    int,
    typer.Argument(
        metavar="LINE",
        help="help.line",
        show_default=False,
        parser=WholeNumber("LINE", 1, 2**53),
    ),
]


def reports(
    context: typer.Context, json: AsJson = False, database: DatabaseUrl = None, lang: Lang = None
) -> int:
    """List the open reports of players."""
    from tavola.cli.admin.site import list_reports

    return list_reports(context.obj, database_url(database), json=json)


def delete_line(
    context: typer.Context, line: LineNumber, database: DatabaseUrl = None, lang: Lang = None
) -> int:
    """Delete a chat line."""
    from tavola.cli.admin.accounts import change
    from tavola.server.moderation import reports

    work = partial(reports.delete_line, line=line)
    return change(context.obj, database_url(database), work, "admin.line-deleted", line=line)


def close_report(
    context: typer.Context, line: LineNumber, database: DatabaseUrl = None, lang: Lang = None
) -> int:
    """Close the reports of a chat line."""
    from tavola.cli.admin.accounts import change
    from tavola.server.moderation import reports

    work = partial(reports.close, line=line)
    return change(context.obj, database_url(database), work, "admin.report-closed", line=line)
