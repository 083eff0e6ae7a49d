"""The routes of notifications."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

from litestar import WebSocket, delete, get, post, websocket
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody
from litestar.response import Redirect

from tavola.language import negotiate
from tavola.server.accounts.accounts import Account, Accounts
from tavola.server.http import bell as bells
from tavola.server.http.authentication import (
    AnyRequest,
    client_info,
    seat_tokens,
)
from tavola.server.http.bell import Bell, reader_of
from tavola.server.http.server_state import ServerState
from tavola.server.outbox.notifier import Notifier
from tavola.server.schema.notifications import (
    BELL,
    Destinations,
    DestinationSettings,
    EmailLink,
    NewDestination,
    NewDestinationResult,
    NotificationList,
    NotificationsHello,
    NotificationsRead,
)


@get("/api/notifications", scope="read")
async def list_notifications(
    request: AnyRequest, visitor: NamedDependency[Account | None], bell: NamedDependency[Bell]
) -> NotificationList:
    """Return the unread notifications of the account and of the seats of the tokens."""
    reader = reader_of(None if visitor is None else visitor.id, seat_tokens(request))
    return await bell.unread(reader)


@post("/api/notifications/read", status_code=200, scope="play")
async def read_notifications(
    data: JSONBody[NotificationsRead],
    visitor: NamedDependency[Account | None],
    bell: NamedDependency[Bell],
) -> NotificationList:
    """Mark notifications as read, and return the unread ones."""
    reader = reader_of(None if visitor is None else visitor.id, data.tokens)
    return await bell.mark_read(reader, data.ids)


@websocket("/api/notifications/socket", sends=NotificationList, receives=NotificationsHello)
async def open_notification_socket(socket: WebSocket[Any, Any, Any], state: ServerState) -> None:
    """Send the unread notifications and their changes."""
    await bells.serve(socket, state.bell, state.accounts, state.limits)


@get("/api/account/destinations")
async def list_destinations(
    account: NamedDependency[Account], notifier: NamedDependency[Notifier]
) -> Destinations:
    """Return the destinations of the account, and the channels of this server."""
    return await notifier.overview(account)


@post("/api/account/destinations")
async def add_destination(
    request: AnyRequest,
    data: JSONBody[NewDestination],
    account: NamedDependency[Account],
    notifier: NamedDependency[Notifier],
) -> NewDestinationResult:
    """Add a destination to the account."""
    language = negotiate(request.headers.get("accept-language", ""))
    return await notifier.add(account, data, language, client_info(request))


@post("/api/account/destinations/{destination:str}", status_code=204)
async def change_destination(
    destination: FromPath[str],
    data: JSONBody[DestinationSettings],
    account: NamedDependency[Account],
    notifier: NamedDependency[Notifier],
    bell: NamedDependency[Bell],
) -> None:
    """Choose the kinds that go to a destination, and when an e-mail address receives them."""
    await notifier.change(account, destination, data)
    if destination == BELL:
        bell.refresh(reader_of(account.id, ()))


@delete("/api/account/destinations/{destination:str}")
async def remove_destination(
    destination: FromPath[str],
    account: NamedDependency[Account],
    notifier: NamedDependency[Notifier],
) -> None:
    """Delete a destination."""
    await notifier.remove(account, destination)


@post("/api/account/destinations/{destination:str}/confirmation", status_code=204)
async def send_confirmation(
    request: AnyRequest,
    destination: FromPath[str],
    account: NamedDependency[Account],
    accounts: NamedDependency[Accounts],
    notifier: NamedDependency[Notifier],
) -> None:
    """Send the link that confirms an e-mail address again."""
    # Its own limit holds for the account; the mailbox had its mail when it was added.
    accounts.limits.count_mail(client_info(request).address, account.id, destination)
    language = negotiate(request.headers.get("accept-language", ""))
    await notifier.email.send_confirmation(account, destination, language)


@post("/api/email/confirm", status_code=204)
async def confirm_email(data: JSONBody[EmailLink], notifier: NamedDependency[Notifier]) -> None:
    """Confirm an e-mail address by the link in its mail."""
    await notifier.email.confirm(data.link)


@post("/api/email/unsubscribe/{link:str}", status_code=204)
async def unsubscribe_email(link: FromPath[str], notifier: NamedDependency[Notifier]) -> None:
    """Send no more notifications to an e-mail address. Source: RFC 8058."""
    await notifier.email.unsubscribe(link)


@get("/api/email/unsubscribe/{link:str}", status_code=303)
async def open_unsubscribe_page(link: FromPath[str]) -> Redirect:
    """Lead a browser to the page that asks first."""
    return Redirect(f"/email#unsubscribe={quote(link)}", status_code=303)


ROUTES = [
    list_notifications,
    read_notifications,
    open_notification_socket,
    list_destinations,
    add_destination,
    change_destination,
    remove_destination,
    send_confirmation,
    confirm_email,
    unsubscribe_email,
    open_unsubscribe_page,
]
