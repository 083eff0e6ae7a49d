"""The messages of error codes by language."""

from __future__ import annotations

from typing import Any

from tavola.errors import shortened
from tavola.language import Language
from tavola.messages import catalogue, fill, language_property, translated
from tavola.server.errors import RequestError

LIST_LIMIT = 20
"""Number of list items that a message shows."""

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
