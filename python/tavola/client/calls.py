"""The requests of the client, the reading of responses, and what is tried again: without I/O."""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import httpx
import msgspec

from tavola.client.errors import ServerError, Unreachable
from tavola.server.matches.command import Command
from tavola.server.matches.time_control import Time
from tavola.server.schema.accounts import CurrentAccount, OwnMatches
from tavola.server.schema.requests import (
    EngineSeat,
    LinkSeat,
    NewChatLine,
    NewMatch,
    PersonSeat,
    TakeSeat,
)
from tavola.server.schema.responses import (
    Challenge,
    ChatLine,
    CommandResult,
    ErrorResponse,
    MatchCreated,
    SeatTaken,
    Snapshot,
)

T = TypeVar("T")

Seat = PersonSeat | LinkSeat | EngineSeat
Http = httpx.Client | httpx.AsyncClient
Failure = httpx.TransportError | ServerError

TIMEOUT_SECONDS = 60.0
"""Seconds without an answer, or without a sign of life in a stream, after which it is lost."""
ATTEMPTS = 6
"""How often a request is sent before `Unreachable`; streams never give up."""

TEMPORARY = frozenset({"storage", "apart", "busy", "engines-busy", "too-fast", "starting"})
"""The error codes after which the same request may succeed."""
PASSED = frozenset({"stale", "over", "not-your-turn", "not-awaited", "nothing-to-confirm"})
"""The error codes of a command for a moment that has passed."""

_LINK = re.compile(r"(?:https?://[^/]+)?/match/([\w-]+)#take=\d+\.([\w-]+)")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request, and the type of its response.

    Attributes:
        repeatable: Whether the server counts it once, however often it is sent.
    """

    method: str
    path: str
    response: Any
    body: msgspec.Struct | None = None
    params: dict[str, str] | None = None
    repeatable: bool = True

    def request(self, http: Http) -> httpx.Request:
        """Return the request, for a connection to the server."""
        return http.build_request(
            self.method,
            self.path,
            content=None if self.body is None else msgspec.json.encode(self.body),
            params=self.params,
            headers={"content-type": "application/json"},
        )

    def check_repeatable(self, http: Http, error: Failure, failures: int) -> None:
        """Check that the request may be sent again.

        Args:
            http: The connection to the server.
            error: The failure of the last attempt.
            failures: How often it has failed before.

        Raises:
            ServerError: The error, if it lasts or this was the last attempt.
            Unreachable: The same, if the server did not answer.
        """
        if isinstance(error, ServerError):
            if error.code not in TEMPORARY or failures >= ATTEMPTS:
                raise error
        elif not self.repeatable or failures >= ATTEMPTS:
            raise Unreachable(str(http.base_url), str(error)) from None

    def read(self, status: int, content: bytes) -> T:
        """Return the response.

        Raises:
            ServerError: The server rejected the request.
            Unreachable: The response is not Tavola's.
        """
        if status >= 400:
            raise read_error(self.path, status, content)
        try:
            # A response of nothing is empty.
            value: T = msgspec.json.decode(content or b"null", type=self.response)
        except msgspec.DecodeError:
            raise Unreachable(self.path, "the response is not Tavola's") from None
        return value


def check_reconnectable(error: Failure) -> None:
    """Check that a stream may connect again after an error.

    Raises:
        ServerError: The error, if it lasts.
    """
    if isinstance(error, ServerError) and error.status < 500 and error.status != 429:
        raise error


def read_error(path: str, status: int, content: bytes) -> ServerError | Unreachable:
    """Return the error of a response."""
    try:
        error = msgspec.json.decode(content, type=ErrorResponse)
    except msgspec.DecodeError:
        return Unreachable(path, f"status {status}, not as Tavola answers")
    return ServerError(error.code, error.message, status, error.params)


def account() -> Call[CurrentAccount]:
    """Return the request of the account."""
    return Call("GET", "/api/account", CurrentAccount)


def own_games(after: str | None) -> Call[OwnMatches]:
    """Return the request of a page of the account's games."""
    params = None if after is None else {"after": after}
    return Call("GET", "/api/account/matches", OwnMatches, params=params)


def lobby() -> Call[tuple[Challenge, ...]]:
    """Return the request of the lobby."""
    return Call("GET", "/api/lobby", tuple[Challenge, ...])


def create(
    game: str,
    seats: Sequence[Seat] | None,
    options: dict[str, str | int] | None,
    time: Time | None,
    *,
    to: str | None,
    rated: bool,
    lobby: bool,
    confirm: bool,
) -> Call[MatchCreated]:
    """Return the request of a new game."""
    wanted = NewMatch(
        game=game,
        seats=tuple(seats or (PersonSeat(), LinkSeat())),
        options=options or {},
        confirm=confirm,
        time=time,
        to=to,
        lobby=lobby,
        rated=rated,
    )
    return Call("POST", "/api/matches", MatchCreated, wanted, repeatable=False)


def accept(game: str) -> tuple[str, Call[SeatTaken]]:
    """Return the id of a game, and the request of a seat in it.

    Args:
        game: The link to a seat, or the id of a game in the lobby.
    """
    link = _LINK.fullmatch(game)
    match, invitation = (game, None) if link is None else link.groups()
    taking = TakeSeat(secrets.token_urlsafe(32), invitation)
    return match, Call("POST", f"/api/matches/{match}/seats", SeatTaken, taking)


def withdraw(match: str) -> Call[None]:
    """Return the request to take a game out of the lobby."""
    return Call("DELETE", f"/api/lobby/{match}", None)


def decline(match: str) -> Call[None]:
    """Return the request to decline a challenge."""
    return Call("POST", f"/api/matches/{match}/decline", None)


def game(match: str) -> Call[Snapshot]:
    """Return the request of a game."""
    return Call("GET", f"/api/matches/{match}", Snapshot)


def send(match: str, command: Command) -> Call[CommandResult]:
    """Return the request of a command."""
    return Call("POST", f"/api/matches/{match}/commands", CommandResult, command)


def chat(match: str) -> Call[tuple[ChatLine, ...]]:
    """Return the request of the lines of a chat."""
    return Call("GET", f"/api/matches/{match}/chat", tuple[ChatLine, ...])


def say(match: str, seat: int, text: str) -> Call[None]:
    """Return the request that sends a line."""
    line = NewChatLine(seat, text)
    return Call("POST", f"/api/matches/{match}/chat", None, line, repeatable=False)
