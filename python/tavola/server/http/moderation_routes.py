"""The routes of moderators."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import sqlalchemy as sa
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from tavola.server.accounts.accounts import Account, Accounts
from tavola.server.errors import RequestError
from tavola.server.http.authentication import AnyRequest, require_account
from tavola.server.http.server_state import ServerState
from tavola.server.moderation import reports
from tavola.server.outbox import report_events
from tavola.server.schema.moderation import ModeratorAct, ReportList

Before = Annotated[int | None, QueryParameter(ge=0, le=2**53)]


@get("/api/moderation/reports")
async def list_reports(
    request: AnyRequest,
    accounts: NamedDependency[Accounts],
    state: ServerState,
    before: Before = None,
) -> ReportList:
    """Return the open reports of players, for moderators."""
    await require_moderator(request, accounts)
    return await state.database.read(partial(reports.open_reports, before=before))


@post("/api/moderation/lines/{line:int}", status_code=204)
async def moderate_line(
    request: AnyRequest,
    line: FromPath[int],
    data: JSONBody[ModeratorAct],
    accounts: NamedDependency[Accounts],
    state: ServerState,
) -> None:
    """Close the reports of a line, delete it, or mute its writer."""
    moderator = await require_moderator(request, accounts)

    def act(connection: sa.Connection) -> None:
        match data.do:
            case "close":
                reports.close(connection, line, moderator.id)
            case "delete":
                reports.delete_line(connection, line, moderator.id)
            case "mute":
                reports.mute_writer(connection, line, data.hours, moderator.id)
        report_events.on_moderated(connection, moderator.id)

    await state.database.run(act)
    await state.feed.poll()


async def require_moderator(request: AnyRequest, accounts: Accounts) -> Account:
    """Return the account that is signed in, if it is a moderator's.

    Raises:
        RequestError: `signed-out`, `not-moderator`.
    """
    account = await require_account(request, accounts)
    if not account.moderator:
        raise RequestError("not-moderator")
    return account


ROUTES = (list_reports, moderate_line)
