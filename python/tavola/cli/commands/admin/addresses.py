"""The commands of `tavola admin` about addresses."""

from typing import Annotated

import typer

from tavola.cli.commands.admin.accounts import Hours, Reason, database_url
from tavola.cli.parameters import AsJson, DatabaseUrl, Lang

Address = Annotated[str, typer.Argument(metavar="ADDRESS", help="help.address", show_default=False)]


def ban(
    context: typer.Context,
    address: Address,
    hours: Hours = None,
    reason: Reason = None,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Ban an address."""
    from tavola.cli.admin.site import ban

    return ban(context.obj, database_url(database), address, hours=hours, reason=reason or "")


def unban(
    context: typer.Context, address: Address, database: DatabaseUrl = None, lang: Lang = None
) -> int:
    """Lift the ban of an address."""
    from tavola.cli.admin.site import unban

    return unban(context.obj, database_url(database), address)


def bans(
    context: typer.Context, json: AsJson = False, database: DatabaseUrl = None, lang: Lang = None
) -> int:
    """List the bans."""
    from tavola.cli.admin.site import list_bans

    return list_bans(context.obj, database_url(database), json=json)
