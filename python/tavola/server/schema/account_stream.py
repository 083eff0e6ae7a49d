"""The messages of the stream of an account: `GET /api/account/stream`."""

from __future__ import annotations

from msgspec import Struct

from tavola.server.schema.notifications import Notification, NotificationList
from tavola.server.schema.responses import MatchSummary


class AccountStateMessage(Struct, frozen=True, tag="state"):
    """The first line: the unfinished games of the account, and its unread notifications.

    Attributes:
        games: The latest first, those with open seats included.
        notifications: The unread notifications.
        cursor: `after` of a stream that continues after this line.
    """

    games: tuple[MatchSummary, ...]
    notifications: NotificationList
    cursor: str


class GameStartMessage(Struct, frozen=True, tag="start"):
    """A game of the account starts: all its seats are taken."""

    game: MatchSummary
    cursor: str


class GameTurnMessage(Struct, frozen=True, tag="turn"):
    """One of the account's seats is to act."""

    game: MatchSummary
    cursor: str


class GameEndMessage(Struct, frozen=True, tag="end"):
    """A game of the account is over."""

    game: MatchSummary
    cursor: str


class NotificationMessage(Struct, frozen=True, tag="notification"):
    """A new notification, such as a challenge."""

    notification: Notification
    cursor: str


GameMessage = GameStartMessage | GameTurnMessage | GameEndMessage

AccountMessage = AccountStateMessage | GameMessage | NotificationMessage
"""A line of the stream."""
