"""Requests and responses of notifications; see `docs/reference/server-api.md`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Kind = Literal["turn", "challenge", "over", "request", "chat", "time", "round", "report"]
"""Why a person is notified. `turn`: it is your turn. `challenge`: a player took your challenge or
link, or agreed to a rematch. `over`: the match has ended. `request`: a player asks for something,
such as a takeback. `chat`: a player wrote to you. `time`: your time runs out. `round`: a round of a
tournament begins. `report`: for moderators, a message was reported."""

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


class NotificationList(Struct, frozen=True, omit_defaults=True):
    """Unread notifications, the latest first; `unread`: how many there are in all.

    `announcement`: the line that the host shows to all visitors, by language.
    """

    unread: int
    notifications: tuple[Notification, ...]
    announcement: dict[str, str] = {}


Channel = Literal["push", "webhook", "email"]
"""Where notifications go when no page is open: to a browser, a program, or a mailbox."""

BELL: Literal["bell"] = "bell"
"""The channel of the list in the pages of the account, and the id of that destination."""

Hour = Annotated[int, Meta(ge=0, le=23)]

Kinds = Annotated[tuple[Kind, ...], Meta(max_length=16)]


class PushKeys(Struct, frozen=True, forbid_unknown_fields=True):
    """The public key of a browser, and its secret for this server, as the Push API names them."""

    p256dh: Annotated[str, Meta(max_length=100)]
    auth: Annotated[str, Meta(max_length=50)]


class EmailOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """When an address receives mail.

    `zone`: the time zone of the hours, such as `Asia/Tokyo`. `digest`: the hour of one mail a day;
    `None`: at once, but for the `quiet` hours from the first to before the second.
    """

    zone: Annotated[str, Meta(min_length=1, max_length=64)] = "UTC"
    digest: Hour | None = None
    quiet: tuple[Hour, Hour] | None = None


class NewDestination(Struct, frozen=True, forbid_unknown_fields=True):
    """A new destination.

    `address`: the URL of a webhook, the endpoint of a browser, or an e-mail address. `keys`: those
    of a browser. `email` and `password`: of an e-mail address, the options and the password of the
    account, because the address may set a new one.
    """

    channel: Channel
    address: Annotated[str, Meta(min_length=1, max_length=1000)]
    kinds: Kinds
    keys: PushKeys | None = None
    email: EmailOptions | None = None
    password: Annotated[str, Meta(max_length=1000)] = ""


class DestinationSettings(Struct, frozen=True, forbid_unknown_fields=True):
    """The kinds of notifications that go to a destination; of an e-mail address also when."""

    kinds: Kinds
    email: EmailOptions | None = None


class Destination(Struct, frozen=True):
    """A destination of the account; the first one is the bell.

    `address`: the URL of a webhook or an e-mail address, empty otherwise. `agent`: a browser, as it
    calls itself. `failed`: when the last delivery failed, or `None`. `confirmed`: whether
    notifications go there; a new e-mail address waits until its link is opened.
    """

    id: str
    channel: Literal[Channel, "bell"]
    address: str
    agent: str
    kinds: tuple[Kind, ...]
    created: str
    failed: str | None
    confirmed: bool
    email: EmailOptions | None


class NewDestinationResult(Struct, frozen=True, omit_defaults=True):
    """A new destination; `secret`: the key of a webhook's signature, shown once."""

    destination: Destination
    secret: str | None = None


class Destinations(Struct, frozen=True):
    """The destinations of the account, and the channels that the host has switched on.

    `push_key`: the public key of this server for browsers, or `None`.
    """

    channels: tuple[Channel, ...]
    push_key: str | None
    destinations: tuple[Destination, ...]


class EmailLink(Struct, frozen=True, forbid_unknown_fields=True):
    """The link of a mail."""

    link: Annotated[str, Meta(max_length=200)]
