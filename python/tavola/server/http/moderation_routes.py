"""The routes of moderators."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import sqlalchemy as sa
from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from tavola.server.accounts.accounts import Account
from tavola.server.http.server_state import ServerState
from tavola.server.moderation import reports
from tavola.server.outbox import report_events
from tavola.server.schema.moderation import ModeratorAct, ReportList

Before = Annotated[int | None, QueryParameter(ge=0, le=2**53)]


@get("/api/moderation/reports")
async def list_reports(
    moderator: NamedDependency[Account],
    state: ServerState,
    before: Before = None,
) -> ReportList:
    """Return the open reports of players, for moderators."""
    return await state.database.read(partial(reports.open_reports, before=before))


@post("/api/moderation/lines/{line:int}", status_code=204)
async def moderate_line(
    line: FromPath[int],
    data: JSONBody[ModeratorAct],
    moderator: NamedDependency[Account],
    state: ServerState,
) -> None:
    """Close the reports of a line, delete it, or mute its writer."""

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


ROUTES = (list_reports, moderate_line)
