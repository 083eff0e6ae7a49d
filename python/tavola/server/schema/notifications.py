"""Requests and responses of notifications; see `docs/reference/server-api.md`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Kind = Literal["turn", "challenge", "over", "request", "chat", "time", "round"]
"""Why a person is notified. `turn`: it is your turn. `challenge`: a player took your challenge or
link, or agreed to a rematch. `over`: the match has ended. `request`: a player asks for something,
such as a takeback. `chat`: a player wrote to you. `time`: your time runs out. `round`: a round of a
tournament begins."""

SeatToken = Annotated[str, Meta(max_length=100)]


class NotificationsHello(Struct, frozen=True, forbid_unknown_fields=True):
    """The first message of a client: the tokens of its seats."""

    tokens: Annotated[tuple[SeatToken, ...], Meta(max_length=100)] = ()


class NotificationsRead(Struct, frozen=True, forbid_unknown_fields=True):
    """Marks notifications as read: those of these ids, or all.

    `tokens`: the tokens of the seats of a guest.
    """

    ids: (
        Annotated[tuple[Annotated[int, Meta(ge=1, le=2**53)], ...], Meta(max_length=100)] | None
    ) = None
    tokens: Annotated[tuple[SeatToken, ...], Meta(max_length=100)] = ()


class Notification(Struct, frozen=True):
    """An event that a person should hear of.

    `by`: the name of the player who caused it, empty without a name. `detail`: of a request, its
    kind.
    """

    id: int
    kind: Kind
    at: str
    match: str | None
    game: str | None
    by: str | None
    detail: str | None


class NotificationList(Struct, frozen=True):
    """Unread notifications, the latest first; `unread`: how many there are in all."""

    unread: int
    notifications: tuple[Notification, ...]
