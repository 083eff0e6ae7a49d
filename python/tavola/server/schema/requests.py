"""Request types of the API; see `docs/reference/server-api.md`."""

from __future__ import annotations

import re
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, Struct

from tavola.server.matches.command import Command, SeatNumber
from tavola.server.matches.time_control import Time
from tavola.server.schema.validation import decode_error, invalid_request

T = TypeVar("T")

_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")
"""How JSON writes the character."""

Name = Annotated[str, Meta(max_length=40)]
Seconds = Annotated[float, Meta(ge=0.01, le=60)]
Level = Annotated[int, Meta(ge=1, le=8)]
Secret = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{43}$")]
Token = Annotated[str, Meta(min_length=1, max_length=200)]
LINE_LENGTH = 64
"""How many actions a line has at most."""
TriedActions = Annotated[tuple[Token, ...], Meta(max_length=LINE_LENGTH)]


class PersonSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="person"):
    """A seat for a person."""

    name: Name = ""


class LinkSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="link"):
    """A seat for the first player to open its link."""


class EngineSeat(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind", tag="engine"):
    """A seat for an engine: one of the game's eight levels, an agent of the host, or the best.

    The best thinks this long about an action: a second if nothing is said.
    """

    level: Level | None = None
    seconds: Seconds | None = None
    agent: Name | None = None
    name: Name = ""

    def __post_init__(self) -> None:
        if sum(one is not None for one in (self.level, self.seconds, self.agent)) > 1:
            raise ValueError("one-engine")


class NewMatch(Struct, frozen=True, forbid_unknown_fields=True):
    """A new match: game, options and seats.

    Attributes:
        time: The time control of persons.
        contribute: Whether chance waits until every person's seat has contributed to its draws.
        lobby: Whether the seats by link are also offered in the lobby.
        rated: Whether the match counts for the ratings of those who play it.
        to: The name of an account that is invited to the first seat by link.
    """

    game: str
    seats: Annotated[tuple[PersonSeat | LinkSeat | EngineSeat, ...], Meta(max_length=16)]
    options: dict[str, str | int] = {}
    confirm: bool = True
    time: Time | None = None
    contribute: bool = False
    lobby: bool = False
    rated: bool = False
    to: Name | None = None


class TakeSeat(Struct, frozen=True, forbid_unknown_fields=True):
    """Take a seat by link, or one that is offered in the lobby.

    Attributes:
        token: The secret that will hold it: 32 random bytes, in URL-safe base64.
        invitation: The secret of the link; none: any seat that is offered in the lobby.
        name: The player's name.
    """

    token: Secret
    invitation: Annotated[str, Meta(max_length=100)] | None = None
    name: Name = ""


class Hello(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="hello"):
    """The first message: seat tokens, and the language of errors.

    `changes`: whether to send patches instead of whole snapshots.
    """

    tokens: Annotated[tuple[Annotated[str, Meta(max_length=100)], ...], Meta(max_length=16)] = ()
    language: Annotated[str, Meta(max_length=100)] | None = None
    changes: bool = False


class CommandMessage(
    Command, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="command"
):
    """A command."""


class AnalyseMessage(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="analyse"
):
    """Analyse a position of a finished match.

    `ply`: its number of actions; `None`: stop the analysis. A new analysis replaces the viewer's
    last.
    `line`: what could have been played from there on; the position after that is meant.
    """

    ply: Annotated[int, Meta(ge=0, le=2**53)] | None
    line: TriedActions = ()


class Ping(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="ping"):
    """Checks the connection."""


class Echo(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="echo"):
    """The answer to the server's `echo`, at once and with its number."""

    number: Annotated[int, Meta(ge=0, le=2**53)]


class SayMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="say"):
    """Send a chat line to every viewer."""

    seat: SeatNumber
    text: Annotated[str, Meta(max_length=500)]


class NewChatLine(Struct, frozen=True, forbid_unknown_fields=True):
    """A chat line of a seat, over HTTP."""

    seat: SeatNumber
    text: Annotated[str, Meta(max_length=500)]


class RetryMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="retry"):
    """Let an engine that failed try again."""


class ReportMessage(
    Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="report"
):
    """A seat reports a line of the chat to the host."""

    seat: SeatNumber
    line: Annotated[int, Meta(ge=0, le=2**53)]


def decode(text: bytes | str, decoder: msgspec.json.Decoder[T]) -> T:
    """Decode a client's message.

    Raises:
        RequestError: `malformed`, `invalid`.
    """
    # No text may have one: PostgreSQL cannot store it. Nearly none has the letters.
    written = text.encode() if isinstance(text, str) else text
    if b"\\u0000" in written and _NUL.search(written):
        raise invalid_request("nul")
    try:
        return decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise decode_error(text, error) from None
