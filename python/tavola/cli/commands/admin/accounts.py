"""The commands of `tavola admin` about accounts."""

from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from tavola.cli.errors import BadValue
from tavola.cli.parameters import AsJson, DatabaseUrl, Lang, number

Role = Literal["organizer", "moderator"]
ROLES: tuple[Role, ...] = ("organizer", "moderator")

AccountName = Annotated[
    str, typer.Argument(metavar="NAME", help="help.account", show_default=False)
]
Reason = Annotated[str | None, typer.Option(metavar="TEXT", help="help.reason", show_default=False)]
Hours = Annotated[
    int | None,
    number("--hours", metavar="HOURS", least=1, most=8760, described="help.hours"),
]


def _role(given: str) -> Role:
    for role in ROLES:
        if given.lower() == role:
            return role
    raise BadValue("ROLE", given, "valid.role", roles=", ".join(ROLES))


RoleName = Annotated[
    Any, typer.Argument(metavar="ROLE", help="help.role", show_default=False, parser=_role)
]


def database_url(database: str | None) -> str:
    """Return the URL of the database, or of the default one."""
    from tavola.server.settings import default_database

    return database or default_database()


def _set_role(
    context: typer.Context, database: str | None, name: str, role: Role, *, given: bool
) -> int:
    """Give or take a role, and print a sentence about it."""
    from tavola.cli.admin.accounts import change
    from tavola.server.moderation import account_acts

    work = partial(account_acts.set_role, name=name, role=role, given=given)
    key, translate = "admin.granted" if given else "admin.revoked", context.obj
    shown = translate(f"admin.{role}")
    return change(translate, database_url(database), work, key, name=name, role=shown)


def accounts(
    context: typer.Context,
    search: Annotated[
        str | None, typer.Argument(metavar="TEXT", help="help.search", show_default=False)
    ] = None,
    limit: Annotated[int, number("--limit", least=1, most=10**6, described="help.limit")] = 100,
    json: AsJson = False,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """List accounts."""
    from tavola.cli.admin.accounts import list_accounts

    return list_accounts(
        context.obj, database_url(database), search=search or "", limit=limit, json=json
    )


def rename(
    context: typer.Context,
    name: AccountName,
    new: Annotated[str, typer.Argument(metavar="NEW", help="help.new-name", show_default=False)],
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Rename an account."""
    from tavola.cli.admin.accounts import change
    from tavola.server.moderation import account_acts

    work = partial(account_acts.rename, name=name, new=new)
    return change(context.obj, database_url(database), work, "admin.renamed", name=name, new=new)


def password_link(
    context: typer.Context,
    name: AccountName,
    origin: Annotated[
        str | None,
        typer.Option(
            envvar="TAVOLA_ORIGIN", metavar="ORIGIN", help="help.link-origin", show_default=False
        ),
    ] = None,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Print a link that sets a new password."""
    from tavola.cli.admin.accounts import LOCAL_ORIGIN, print_password_link

    # The variable may name several, as for `tavola serve`.
    first = next(iter((origin or "").split()), LOCAL_ORIGIN)
    return print_password_link(context.obj, database_url(database), name, first)


def disable(
    context: typer.Context,
    name: AccountName,
    reason: Reason = None,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Disable an account."""
    from tavola.cli.admin.accounts import change
    from tavola.server.moderation import account_acts

    work = partial(account_acts.disable, name=name, reason=reason or "")
    return change(context.obj, database_url(database), work, "admin.was-disabled", name=name)


def restore(
    context: typer.Context,
    name: AccountName,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Restore a disabled account."""
    from tavola.cli.admin.accounts import change
    from tavola.server.moderation import account_acts

    work = partial(account_acts.restore, name=name)
    return change(context.obj, database_url(database), work, "admin.restored", name=name)


def grant(
    context: typer.Context,
    name: AccountName,
    role: RoleName,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Give a role to an account."""
    return _set_role(context, database, name, role, given=True)


def revoke(
    context: typer.Context,
    name: AccountName,
    role: RoleName,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Take a role from an account."""
    return _set_role(context, database, name, role, given=False)


def mute(
    context: typer.Context,
    name: AccountName,
    hours: Hours = None,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Exclude an account from the chat."""
    from tavola.cli.admin.accounts import change
    from tavola.server.moderation import account_acts

    work = partial(account_acts.mute, name=name, hours=hours)
    return change(context.obj, database_url(database), work, "admin.was-muted", name=name)


def unmute(
    context: typer.Context,
    name: AccountName,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Admit an account to the chat again."""
    from tavola.cli.admin.accounts import change
    from tavola.server.moderation import account_acts

    work = partial(account_acts.unmute, name=name)
    return change(context.obj, database_url(database), work, "admin.unmuted", name=name)


def export(
    context: typer.Context,
    name: AccountName,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="help.out-json")] = None,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Export all data of an account."""
    from tavola.cli.admin.accounts import export

    return export(context.obj, database_url(database), name, out)


def erase(
    context: typer.Context,
    name: AccountName,
    yes: Annotated[bool, typer.Option("--yes", help="help.erase-yes")] = False,
    database: DatabaseUrl = None,
    lang: Lang = None,
) -> int:
    """Delete an account with its data."""
    from tavola.cli.admin.accounts import erase

    return erase(context.obj, database_url(database), name, confirmed=yes)
