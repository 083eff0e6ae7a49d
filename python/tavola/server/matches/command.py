"""Commands: what a seat asks of a match."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

SeatNumber = Annotated[int, Meta(ge=0, le=15)]


CommandKind = Literal[
    "play",
    "undo",
    "confirm",
    "resign",
    "ask",
    "accept",
    "decline",
    "contribute",
    "return",
]
"""The effect of a command."""


class Command(Struct, frozen=True, forbid_unknown_fields=True):
    """A seat's command, and the sequence number that the client has."""

    id: Annotated[str, Meta(min_length=1, max_length=64)]
    seq: Annotated[int, Meta(ge=0, le=2**53)]
    seat: SeatNumber
    do: CommandKind
    token: Annotated[str, Meta(max_length=200)] | None = None
