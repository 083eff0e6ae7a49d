"""Error codes with their HTTP status and messages by language."""

from __future__ import annotations

from typing import Any

from tavola.errors import shortened
from tavola.language import Language
from tavola.messages import catalogue, fill, language_property, translated
from tavola.server.errors import ErrorCode, RequestError

LIST_LIMIT = 20
"""Number of list items that a message shows."""

STATUSES: dict[ErrorCode, int] = {
    # Not found or malformed.
    "not-found": 404,
    "method": 405,
    "unknown-game": 404,
    "unknown-lesson": 404,
    "unknown-puzzle": 404,
    "unknown-step": 404,
    "unknown-language": 404,
    "unknown-match": 404,
    # The request itself is wrong.
    "malformed": 400,
    "invalid": 422,
    "unknown-option": 422,
    "unknown-value": 422,
    "seat-count": 422,
    "nothing-to-offer": 422,
    "unknown-seat": 422,
    "unknown-cell": 422,
    "no-proofs": 422,
    "rated-proofs": 409,
    "no-hints": 409,
    "not-options": 422,
    "not-a-position": 422,
    "unknown-winner": 422,
    "unknown-page": 422,
    "unknown-archived": 404,
    "no-images": 501,
    "drawing-failed": 500,
    "bad-archive": 500,
    "unknown-position": 422,
    "too-large": 413,
    "too-slow": 408,
    "too-fast": 429,
    "host": 421,
    "origin": 403,
    "no-hello": 400,
    "too-many-viewers": 429,
    # Not permitted for this client.
    "unknown-token": 401,
    "not-your-seat": 403,
    "unknown-invitation": 401,
    "signed-out": 401,
    "wrong-sign-in": 401,
    "wrong-password": 403,
    "too-many-attempts": 429,
    "sign-in-busy": 503,
    "name-length": 422,
    "name-characters": 422,
    "name-taken": 409,
    "password-length": 422,
    "password-name": 422,
    "unknown-person": 404,
    "too-many-people": 409,
    "unknown-day": 422,
    "unknown-session": 404,
    "unknown-api-token": 404,
    "too-many-tokens": 409,
    "token-invalid": 401,
    "token-scope": 403,
    "token-forbidden": 403,
    "token-in-url": 400,
    "bot-too-late": 409,
    "bot-forbidden": 403,
    "unknown-destination": 404,
    "too-many-destinations": 409,
    "channel-off": 409,
    "destination-address": 422,
    "email-address": 422,
    "time-zone": 422,
    "mail-limit": 429,
    "mail-failed": 503,
    "link-invalid": 410,
    "push-keys": 422,
    "claimed": 409,
    "rated-seats": 422,
    "rated-odds": 422,
    "seated-already": 409,
    # The match does not allow it now.
    "rated-undo": 409,
    "seat-taken": 409,
    "not-offered": 409,
    "reused-token": 409,
    "not-over": 409,
    "match-limit": 429,
    "too-many-offers": 429,
    "pairing-limit": 429,
    "pairing-elsewhere": 409,
    "analysis-limit": 429,
    "engines-busy": 429,
    "busy": 429,
    "stale": 409,
    "contribution": 422,
    "not-awaited": 409,
    "no-commitment": 409,
    "not-revealed": 409,
    "reused-id": 409,
    "unknown-line": 404,
    "unknown-echo": 409,
    "empty-message": 422,
    "chat-limit": 429,
    "cannot-ask": 409,
    "answer-first": 409,
    "declined-before": 409,
    "no-pending-request": 409,
    "paused": 409,
    "match-full": 409,
    "over": 409,
    "not-your-turn": 409,
    "confirm-first": 409,
    "nothing-to-confirm": 409,
    "not-replaced": 409,
    "nothing-to-undo": 409,
    "ask-for-undo": 409,
    "time-up": 409,
    "conditional-chance": 422,
    "conditional-own-turn": 409,
    "conditional-line": 422,
    "conditional-unfinished": 422,
    "conditional-twice": 422,
    "conditional-changed": 409,
    "no-token": 422,
    "illegal": 422,
    # The host and moderators.
    "banned": 403,
    "account-disabled": 403,
    "not-moderator": 403,
    "unknown-account": 404,
    "similar-names": 404,
    "not-an-address": 422,
    "not-banned": 404,
    "too-long": 422,
    "forbidden-word": 422,
    "muted": 403,
    "no-links": 422,
    # Tournaments.
    "unknown-tournament": 404,
    "unknown-player": 404,
    "unknown-board": 404,
    "not-organizer": 403,
    "not-a-player": 403,
    "no-entry": 409,
    "tournament-full": 409,
    "tournament-over": 409,
    "tournament-name": 422,
    "guest-name": 422,
    "tournament-seats": 422,
    "too-few-players": 409,
    "not-now": 409,
    "knockout-draw": 422,
    "round-over": 409,
    "tournament-limit": 429,
    # The server cannot.
    "rules-changed": 409,
    "unknown-agent": 404,
    "game-missing": 409,
    "game-failed": 500,
    "damaged": 500,
    "storage": 503,
    "database": 503,
    "disk-full": 503,
    "not-writable": 503,
    "starting": 503,
    "apart": 503,
    "no-client": 503,
    "internal": 500,
}
"""The HTTP status of each error code; `locales/` has the messages."""

VALIDATION_FAULTS = frozenset(
    {
        "kind",
        "missing",
        "unknown-field",
        "unknown-value",
        "least",
        "most",
        "shortest",
        "longest",
        "form",
        "range",
        "too-deep",
        "nul",
        "no-body",
        "one-engine",
        "other",
    }
)
"""The problems that an `invalid` error reports; their words begin with `fault.`."""

_PARAM_PREFIXES = {"fault": "fault.", "expected": "type."}
"""The parameters whose values have words themselves, and the prefix of these."""


def message_of(refused: RequestError, language: Language) -> str:
    """Return the messages of all errors of a request."""
    sentences = [message_for(one.code, one.params, language) for one in (refused, *refused.also)]
    return language_property(language, "sentence-gap").join(sentences)


def message_for(code: str, params: dict[str, Any], language: Language) -> str:
    """Return the message of a code, with its parameters filled in."""
    template = catalogue("tavola.server.schema", language)[code]
    return fill(template, params, lambda name: _format_param(name, params, language))


def _format_param(name: str, params: dict[str, Any], language: Language) -> str:
    """Return a parameter in words; of a long list only the beginning.

    Long texts from a client are shortened too.
    """
    value = params[name]
    if (prefix := _PARAM_PREFIXES.get(name)) is not None:
        any_of = [value] if isinstance(value, str) else value
        said = [message_for(f"{prefix}{one}", params, language) for one in any_of]
        return language_property(language, "or").join(said)
    if not isinstance(value, (list, tuple)):
        return shortened(translated(value, language))
    if not value:
        return message_for("none", params, language)
    more = [f"… (+{len(value) - LIST_LIMIT})"] if len(value) > LIST_LIMIT else []
    return ", ".join([*map(str, value[:LIST_LIMIT]), *more])
