"""Requests and messages of quick pairing."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tavola.server.matches.time_control import Time
from tavola.server.schema.requests import Name, Secret


class PairingHello(Struct, frozen=True, forbid_unknown_fields=True):
    """The first message of a player who looks for opponents.

    Attributes:
        time: The time control, the same for all seats.
        token: The secret that will hold the seat: 32 random bytes, in URL-safe base64.
        name: The name of a guest.
        language: The language of errors.
    """

    game: Annotated[str, Meta(max_length=64)]
    time: Time
    token: Secret
    options: dict[str, str | int] = {}
    name: Name = ""
    language: Annotated[str, Meta(max_length=100)] | None = None


class WaitingMessage(Struct, frozen=True, tag_field="type", tag="waiting"):
    """The player has a place in the queue."""


class PairedMessage(Struct, frozen=True, tag_field="type", tag="paired"):
    """The match has begun; the token holds this seat."""

    match: str
    seat: int
