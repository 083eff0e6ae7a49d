"""The choice of a reader's language."""

from __future__ import annotations

from typing import Literal, get_args

Language = Literal["en", "ja"]

LANGUAGES: tuple[Language, ...] = get_args(Language)


def negotiate(accepted: str) -> Language:
    """Return the language for an `Accept-Language` header, English by default.

    >>> negotiate("de, ja;q=0.8, en;q=0.5")
    'ja'
    >>> negotiate("ja;q=0, *")
    'en'
    """
    best: Language = "en"
    best_weight = 0.0
    for part in accepted[:500].split(","):
        tag, _, parameters = part.partition(";")
        primary = tag.strip().lower().partition("-")[0]
        weight = _weight(parameters)
        for language in LANGUAGES:
            if primary == language and weight > best_weight:
                best, best_weight = language, weight
    return best


def _weight(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    try:
        weight = float(value)
    except ValueError:
        return 0.0
    return weight if 0.0 <= weight <= 1.0 else 0.0
