"""`tavola admin`: accounts."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from tavola.cli.admin.printing import local_time, print_json, print_rows
from tavola.cli.databases import check_existing, in_database, reported
from tavola.cli.errors import UsageError, check_writable
from tavola.cli.locales import Translator
from tavola.server.errors import RequestError
from tavola.server.moderation import account_acts, audit

if TYPE_CHECKING:
    import sqlalchemy as sa

    from tavola.server.schema.accounts import AccountExport

LOCAL_ORIGIN = "http://localhost:8000"
"""The address in links without `--origin`: that of a server on this machine."""


def list_accounts(
    translate: Translator, database: str, *, search: str, limit: int, json: bool
) -> int:
    """Print accounts, the latest first."""
    rows = in_database(
        translate, database, partial(account_acts.listed, search=search, limit=limit), reads=True
    )
    if json:
        columns = ("name", "created", "seen", "disabled", "muted", "organizer", "moderator")
        print_json([{name: getattr(row, name) for name in columns} for row in rows])
        return 0
    headings = ("admin.name", "admin.created", "admin.seen", "admin.state")
    print_rows(
        translate,
        headings,
        [
            (row.name, local_time(row.created), local_time(row.seen), _state(translate, row))
            for row in rows
        ],
    )
    return 0


def _state(translate: Translator, row: Any) -> str:
    states = {
        "admin.disabled": row.disabled is not None,
        "admin.muted": row.muted is not None,
        "admin.organizer": row.organizer,
        "admin.moderator": row.moderator,
    }
    return ", ".join(translate(key) for key, holds in states.items() if holds)


def change(
    translate: Translator,
    database: str,
    work: Callable[[sa.Connection], object],
    key: str,
    **params: object,
) -> int:
    """Do an act in the database, and print a sentence about it."""
    in_database(translate, database, work)
    print(translate(key, **params))
    return 0


def print_password_link(translate: Translator, database: str, name: str, origin: str) -> int:
    """Print a link that sets a new password once."""
    link = in_database(
        translate, database, lambda connection: account_acts.password_link(connection, name)
    )
    print(translate("admin.password-link", name=name))
    print(f"{origin.rstrip('/')}/recovery#{link}")
    return 0


def erase(translate: Translator, database: str, name: str, *, confirmed: bool) -> int:
    """Delete an account with its data.

    Raises:
        UsageError: Without confirmation.
    """
    row = in_database(translate, database, lambda connection: account_acts.find(connection, name))
    if not confirmed:
        raise UsageError(translate, "erase-unconfirmed", name=row.name)
    return change(
        translate,
        database,
        lambda connection: account_acts.erase(connection, name),
        "admin.erased",
        name=row.name,
    )


def export(translate: Translator, database: str, name: str, out: Path | None) -> int:
    """Write all data of an account as JSON to a file or to standard output.

    Raises:
        UsageError: If the file cannot be written.
    """
    check_existing(translate, database)
    if out is not None:
        check_writable(translate, out)  # The log tells of an export.
    with reported(translate, database):
        data = asyncio.run(_export(database, name))
    text = msgspec.json.format(msgspec.json.encode(data), indent=2)
    if out is None:
        print(text.decode())
        return 0
    try:
        out.write_bytes(text + b"\n")
    except OSError as error:
        raise UsageError(translate, "cannot-write", file=out, detail=error) from None
    print(translate("admin.exported", name=data.account.name, file=out))
    return 0


async def _export(url: str, name: str) -> AccountExport:
    from tavola.server.accounts.accounts import Account, Accounts
    from tavola.server.live.load import MatchLoader
    from tavola.server.moderation.own_data import export_account
    from tavola.server.ops.rate_limits import RateLimits
    from tavola.server.ops.work_queue import WorkQueue
    from tavola.server.snapshots.snapshot import record_text
    from tavola.server.storage.database import Database

    limits = RateLimits()
    database, work = Database(url), WorkQueue(1, limits)
    accounts, loader = Accounts(database, limits), MatchLoader(database, work)

    async def record(match: str) -> str | None:
        try:
            return record_text(await loader.read(match))
        except RequestError:
            return None

    def find(connection: sa.Connection) -> Account:
        row = account_acts.find(connection, name)
        audit.record(connection, "export", account=row.id, subject=row.name)
        return Account(
            id=row.id,
            name=row.name,
            created=row.created,
            session="",
            organizer=row.organizer,
            moderator=row.moderator,
        )

    try:
        account = await database.run(find)
        return await export_account(database, accounts, account, record)
    finally:
        await loader.close()
        work.close()
        accounts.close()
        database.close()
