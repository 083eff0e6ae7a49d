"""The rejection of a request, with its code; `schema/errors.py` has statuses and messages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from tavola.view import Refusal

ErrorCode = Literal[
    "not-found",
    "method",
    "unknown-game",
    "unknown-lesson",
    "unknown-puzzle",
    "unknown-step",
    "unknown-language",
    "unknown-match",
    "malformed",
    "invalid",
    "unknown-option",
    "unknown-value",
    "seat-count",
    "nothing-to-offer",
    "unknown-seat",
    "unknown-cell",
    "no-proofs",
    "rated-proofs",
    "no-hints",
    "not-options",
    "not-a-position",
    "unknown-winner",
    "unknown-page",
    "unknown-archived",
    "no-images",
    "drawing-failed",
    "bad-archive",
    "unknown-position",
    "too-large",
    "too-slow",
    "too-fast",
    "host",
    "origin",
    "no-hello",
    "too-many-viewers",
    "unknown-token",
    "not-your-seat",
    "unknown-invitation",
    "signed-out",
    "wrong-sign-in",
    "wrong-password",
    "too-many-attempts",
    "sign-in-busy",
    "name-length",
    "name-characters",
    "name-taken",
    "password-length",
    "password-name",
    "unknown-day",
    "unknown-session",
    "claimed",
    "rated-seats",
    "rated-odds",
    "seated-already",
    "rated-undo",
    "seat-taken",
    "not-offered",
    "reused-token",
    "not-over",
    "match-limit",
    "too-many-offers",
    "analysis-limit",
    "engines-busy",
    "busy",
    "stale",
    "contribution",
    "not-awaited",
    "no-commitment",
    "not-revealed",
    "reused-id",
    "unknown-line",
    "unknown-echo",
    "empty-message",
    "chat-limit",
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
    "conditional-chance",
    "conditional-own-turn",
    "conditional-line",
    "conditional-unfinished",
    "conditional-twice",
    "conditional-changed",
    "no-token",
    "illegal",
    "unknown-tournament",
    "unknown-player",
    "unknown-board",
    "not-organizer",
    "not-a-player",
    "no-entry",
    "tournament-full",
    "tournament-over",
    "tournament-name",
    "guest-name",
    "tournament-seats",
    "too-few-players",
    "not-now",
    "knockout-draw",
    "round-over",
    "tournament-limit",
    "rules-changed",
    "unknown-agent",
    "game-missing",
    "game-failed",
    "damaged",
    "storage",
    "database",
    "disk-full",
    "not-writable",
    "starting",
    "apart",
    "no-client",
    "internal",
]
"""The code of an error."""


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
