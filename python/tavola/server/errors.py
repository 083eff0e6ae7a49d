"""The rejection of a request: its code and HTTP status. `schema/locales/` has the messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

import tavola
from tavola.view import Refusal, refusal

_BadRequest = Literal["malformed", "no-hello", "token-in-url"]
_Unauthorized = Literal[
    "unknown-token",
    "unknown-invitation",
    "signed-out",
    "wrong-sign-in",
    "token-invalid",
]
_Forbidden = Literal[
    "origin",
    "not-your-seat",
    "wrong-password",
    "token-scope",
    "token-forbidden",
    "bot-forbidden",
    "banned",
    "account-disabled",
    "not-moderator",
    "muted",
    "not-organizer",
    "not-a-player",
]
_NotFound = Literal[
    "not-found",
    "unknown-game",
    "unknown-lesson",
    "unknown-puzzle",
    "unknown-step",
    "unknown-language",
    "unknown-match",
    "unknown-archived",
    "unknown-person",
    "unknown-session",
    "unknown-api-token",
    "unknown-destination",
    "unknown-line",
    "unknown-account",
    "similar-names",
    "not-banned",
    "unknown-tournament",
    "unknown-player",
    "unknown-board",
    "unknown-agent",
]
_NotAllowed = Literal["method"]
_Timeout = Literal["too-slow"]
_Conflict = Literal[
    "rated-proofs",
    "no-hints",
    "name-taken",
    "too-many-people",
    "too-many-tokens",
    "bot-too-late",
    "too-many-destinations",
    "channel-off",
    "claimed",
    "seated-already",
    "rated-undo",
    "seat-taken",
    "not-offered",
    "reused-token",
    "not-over",
    "pairing-elsewhere",
    "stale",
    "not-awaited",
    "no-commitment",
    "not-revealed",
    "reused-id",
    "unknown-echo",
    "cannot-ask",
    "answer-first",
    "declined-before",
    "no-pending-request",
    "paused",
    "match-full",
    "over",
    "not-your-turn",
    "confirm-first",
    "nothing-to-confirm",
    "not-replaced",
    "nothing-to-undo",
    "ask-for-undo",
    "time-up",
    "conditional-own-turn",
    "conditional-changed",
    "no-entry",
    "tournament-full",
    "tournament-over",
    "too-few-players",
    "not-now",
    "round-over",
    "rules-changed",
    "game-missing",
]
_Gone = Literal["link-invalid"]
_TooLarge = Literal["too-large"]
_Misdirected = Literal["host"]
_Unprocessable = Literal[
    "invalid",
    "unknown-option",
    "unknown-value",
    "seat-count",
    "nothing-to-offer",
    "unknown-seat",
    "unknown-cell",
    "no-proofs",
    "not-a-position",
    "unknown-winner",
    "unknown-page",
    "unknown-position",
    "name-length",
    "name-characters",
    "password-length",
    "password-name",
    "unknown-day",
    "destination-address",
    "email-address",
    "time-zone",
    "push-keys",
    "rated-seats",
    "rated-odds",
    "contribution",
    "empty-message",
    "conditional-chance",
    "conditional-line",
    "conditional-unfinished",
    "conditional-twice",
    "no-token",
    "illegal",
    "not-an-address",
    "too-long",
    "forbidden-word",
    "no-links",
    "tournament-name",
    "guest-name",
    "tournament-seats",
    "knockout-draw",
]
_TooMany = Literal[
    "too-fast",
    "too-many-viewers",
    "too-many-attempts",
    "mail-limit",
    "match-limit",
    "too-many-offers",
    "pairing-limit",
    "analysis-limit",
    "engines-busy",
    "busy",
    "chat-limit",
    "tournament-limit",
]
_Failed = Literal[
    "drawing-failed",
    "bad-archive",
    "game-failed",
    "damaged",
    "internal",
]
_NotInstalled = Literal["no-images"]
_Unavailable = Literal[
    "sign-in-busy",
    "mail-failed",
    "storage",
    "database",
    "disk-full",
    "not-writable",
    "starting",
    "apart",
    "no-client",
]

ErrorCode = Literal[
    _BadRequest,
    _Unauthorized,
    _Forbidden,
    _NotFound,
    _NotAllowed,
    _Timeout,
    _Conflict,
    _Gone,
    _TooLarge,
    _Misdirected,
    _Unprocessable,
    _TooMany,
    _Failed,
    _NotInstalled,
    _Unavailable,
]
"""The code of an error."""

STATUSES: dict[ErrorCode, int] = {
    code: status
    for status, codes in (
        (400, _BadRequest),
        (401, _Unauthorized),
        (403, _Forbidden),
        (404, _NotFound),
        (405, _NotAllowed),
        (408, _Timeout),
        (409, _Conflict),
        (410, _Gone),
        (413, _TooLarge),
        (421, _Misdirected),
        (422, _Unprocessable),
        (429, _TooMany),
        (500, _Failed),
        (501, _NotInstalled),
        (503, _Unavailable),
    )
    for code in get_args(codes)
}
"""The HTTP status of each code; `schema/locales/` has the messages."""


class RequestError(Exception):
    """The server rejects a request; nothing has changed.

    Args:
        code: Why.
        refusal: For an illegal action, the reason that the game gives.
        in_game: The name of the game that gives the reason.
        also: The other errors of the same request.
        **params: The parameters of the message.
    """

    def __init__(
        self,
        code: ErrorCode,
        *,
        refusal: Refusal | None = None,
        in_game: str = "",
        also: Sequence[RequestError] = (),
        **params: Any,
    ) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params
        self.refusal = refusal
        self.in_game = in_game
        self.also = tuple(also)


def illegal_action(state: tavola.State, error: tavola.IllegalAction) -> RequestError:
    """Return the rejection of an action that is illegal in a state, with all legal ones."""
    return RequestError(
        "illegal",
        refusal=refusal(error),
        in_game=state.game.name,
        token=error.token,
        valid=tuple(state.legal_actions),
    )
