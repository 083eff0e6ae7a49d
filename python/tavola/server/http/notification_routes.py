"""The routes of notifications."""

from __future__ import annotations

from typing import Any

from litestar import WebSocket, get, post, websocket
from litestar.di import NamedDependency
from litestar.params import JSONBody

from tavola.server.accounts.accounts import Accounts
from tavola.server.http import bell as bells
from tavola.server.http.authentication import AnyRequest, current_account, seat_tokens
from tavola.server.http.bell import Bell, reader_of
from tavola.server.http.server_state import ServerState
from tavola.server.schema.notifications import NotificationList, NotificationsRead


@get("/api/notifications")
async def list_notifications(
    request: AnyRequest, accounts: NamedDependency[Accounts], bell: NamedDependency[Bell]
) -> NotificationList:
    """Return the unread notifications of the account and of the seats of the tokens."""
    account = await current_account(request, accounts)
    reader = reader_of(None if account is None else account.id, seat_tokens(request))
    return await bell.unread(reader)


@post("/api/notifications/read", status_code=200)
async def read_notifications(
    request: AnyRequest,
    data: JSONBody[NotificationsRead],
    accounts: NamedDependency[Accounts],
    bell: NamedDependency[Bell],
) -> NotificationList:
    """Mark notifications as read, and return the unread ones."""
    account = await current_account(request, accounts)
    reader = reader_of(None if account is None else account.id, data.tokens)
    return await bell.mark_read(reader, data.ids)


@websocket("/api/notifications/socket")
async def open_notification_socket(socket: WebSocket[Any, Any, Any], state: ServerState) -> None:
    """Send the unread notifications and their changes."""
    await bells.serve(socket, state.bell, state.accounts, state.limits)


ROUTES = [list_notifications, read_notifications, open_notification_socket]
