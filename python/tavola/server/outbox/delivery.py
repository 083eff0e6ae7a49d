"""A delivery as its channel receives it, and how it fails."""

from __future__ import annotations

from enum import Enum, auto
from typing import NamedTuple

from tavola.server.schema.notifications import Channel, Kind


class Delivery(NamedTuple):
    """A claimed delivery.

    Attributes:
        event: The number of the event, the same in every attempt.
        address: A URL, or an e-mail address.
        secret: The key of signatures, or the keys of a browser.
        email: Of an e-mail address, its options as they are stored.
        failed: Whether the last delivery to the destination failed.
    """

    id: int
    event: int
    destination: str
    attempts: int
    channel: Channel
    address: str
    secret: str
    language: str
    kind: Kind
    match: str | None
    game: str | None
    by: str | None
    detail: str | None
    at: str
    email: object
    failed: bool


class AfterFailure(Enum):
    """The next step after a failed attempt."""

    TRY_AGAIN = auto()
    GIVE_UP = auto()
    """No later attempt can succeed."""
    REMOVE_DESTINATION = auto()
    """The destination no longer exists."""


class DeliveryFailed(Exception):
    """A delivery failed."""

    def __init__(self, reason: str, then: AfterFailure = AfterFailure.TRY_AGAIN) -> None:
        super().__init__(reason)
        self.then = then
